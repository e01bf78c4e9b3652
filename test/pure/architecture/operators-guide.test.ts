import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CONFIG_VARIABLES } from '../../../shared/platform/config/config-variables.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';

const ROOT = findProjectRoot();
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the guides', () => {
  it.each(['README.md', 'docs/operate.md', 'docs/integrate.md'])(
    '%s links to files that are there',
    (path) => {
      const links = [...read(path).matchAll(/\]\(([^)#:]+)\)/g)].map(([, link = '']) => link);
      expect(links.filter((link) => !existsSync(join(ROOT, dirname(path), link)))).toEqual([]);
    },
  );

  it('for operators name variables and commands that there are', () => {
    const guide = read('docs/operate.md');
    const variables = [...guide.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)]
      .map(([name]) => name)
      .filter((name) => /^(?:DATABASE|TRUSTED|HEALTH|ENCRYPTION|CLIENT|DATA|TRANSMIT)_/.test(name));
    expect(variables.filter((name) => !(name in CONFIG_VARIABLES))).toEqual([]);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const commands = [...guide.matchAll(/npm (?:run )?([a-z]+)/g)].map(([, name = '']) => name);
    expect(commands).toContain('migrate');
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });
});
