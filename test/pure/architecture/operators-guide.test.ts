import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_VARIABLES } from '../../../shared/platform/config/config-variables.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';

const ROOT = findProjectRoot();
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The table in docs/operations.md. When the test fails, copy its expected text there. */
const TABLE = [
  '| Variable | Default | Meaning |',
  '| --- | --- | --- |',
  ...Object.entries(CONFIG_VARIABLES).map(([name, entry]) => {
    const fallback =
      entry.default === undefined || entry.default === '' ? '' : `\`${entry.default}\``;
    return `| \`${name}\` | ${fallback} | ${entry.meaning} Must be ${entry.rule}. |`;
  }),
].join('\n');

const PAGES = [
  'docs/operations.md',
  ...readdirSync(join(ROOT, 'docs/operations'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/operations/${name}`),
];
/** Other variables that docker-compose.yml reads. */
const OF_COMPOSE = new Set(read('.env.example').match(/^[A-Z_]+(?==)/gm));
const OF_VARIABLES =
  /^(?:DATABASE|TRUSTED|HEALTH|ENCRYPTION|CLIENT|DATA|TRANSMIT|WORKER|BACKLOG|DRAIN|SHUTDOWN|LEASE|ADMIN)_/;

describe('the guide for operators', () => {
  it('documents every variable as the program reads it', () => {
    const [table = ''] =
      /\| Variable \| Default \| Meaning \|\n(\|.*\n?)+/.exec(read('docs/operations.md')) ?? [];
    expect(table.trimEnd()).toBe(TABLE);
  });

  it.each(PAGES)('%s names only variables that exist', (page) => {
    const named = (read(page).match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []).filter((name) =>
      OF_VARIABLES.test(name),
    );
    const isKnown = (name: string) => name in CONFIG_VARIABLES || OF_COMPOSE.has(name);
    expect(named.filter((name) => !isKnown(name))).toEqual([]);
  });
});
