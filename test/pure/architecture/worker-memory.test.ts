import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKER_NODE_OPTIONS } from '../../../shared/platform/config/worker-memory.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { readManifest } from '../../supply-chain/locked-packages.ts';

const read = (file: string) => readFileSync(join(findProjectRoot(), file), 'utf8');

// `npm start` and the benchmark use the constant itself.
it('`npm run worker` and containers limit the heap of a worker as `npm start` does', () => {
  const { worker = '' } = readManifest().scripts;
  const composed = /^ {2}worker:\n(?: {4}.*\n)*/m.exec(read('docker-compose.yml'))?.[0];
  expect(worker.split(' ')).toEqual(expect.arrayContaining([...WORKER_NODE_OPTIONS]));
  expect(composed).toContain(`[node, ${WORKER_NODE_OPTIONS.join(', ')}, dist/worker/main.js]`);
});
