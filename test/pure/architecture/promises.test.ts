import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { SCENARIOS } from '../../faults/scenarios/table.ts';

it('every fault scenario belongs to a promise', () => {
  const page = readFileSync(join(findProjectRoot(), 'docs', 'promises.md'), 'utf8');
  const missing = SCENARIOS.map(({ name }) => name).filter((name) => !page.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});
