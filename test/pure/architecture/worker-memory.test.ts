import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  WORKER_ALLOCATOR,
  WORKER_NODE_OPTIONS,
} from '../../../shared/platform/config/worker-memory.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { readManifest } from '../../supply-chain/locked-packages.ts';

const read = (file: string) => readFileSync(join(findProjectRoot(), file), 'utf8');

// npm start and the benchmark take them from the constants.
describe('the memory of a worker', () => {
  it('is bounded alike by `npm run worker` and in containers', () => {
    const { worker = '' } = readManifest().scripts;
    const composed = /^ {2}worker:\n(?: {4}.*\n)*/m.exec(read('docker-compose.yml'))?.[0];
    expect(worker.split(' ')).toEqual(expect.arrayContaining([...WORKER_NODE_OPTIONS]));
    expect(composed?.replace(/\s+/g, '')).toContain(
      `[node,${WORKER_NODE_OPTIONS.join(',')},dist/worker/main.js,]`,
    );
    for (const [name, value] of Object.entries(WORKER_ALLOCATOR)) {
      expect(composed).toContain(`${name}: "${value}"\n`);
    }
  });
});
