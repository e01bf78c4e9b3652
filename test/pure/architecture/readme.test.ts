import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_VARIABLES } from '../../../shared/platform/config/config-variables.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';

/** The lines that the README's table of variables must hold: when this fails, the expected text is what to put there. */
const TABLE = [
  '| Variable | Default | Meaning |',
  '| --- | --- | --- |',
  ...Object.entries(CONFIG_VARIABLES).map(([name, entry]) => {
    const fallback =
      entry.default === undefined || entry.default === '' ? '' : `\`${entry.default}\``;
    return `| \`${name}\` | ${fallback} | ${entry.meaning} Must be ${entry.rule}. |`;
  }),
].join('\n');

describe('the README', () => {
  it('documents every variable as the program reads it', () => {
    const readme = readFileSync(join(findProjectRoot(), 'README.md'), 'utf8');
    const [table = ''] = /\| Variable \| Default \| Meaning \|\n(\|.*\n?)+/.exec(readme) ?? [];
    expect(table.trimEnd()).toBe(TABLE);
  });
});
