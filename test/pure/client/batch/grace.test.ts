import { spawnSync } from 'node:child_process';
import { findProjectRoot } from '../../../../shared/platform/project-root.ts';

/** In a process of its own, because Jest keeps the warnings of Node to itself. */
const PROGRAM = `
  import { withGrace } from './client/cli/batch/grace.ts';
  await withGrace(undefined, async (abort) => {
    for (let request = 0; request < 64; request += 1) abort.addEventListener('abort', () => {});
  });
`;

it('many requests listen to the signal without a warning of Node', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', PROGRAM],
    { cwd: findProjectRoot(), encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
});
