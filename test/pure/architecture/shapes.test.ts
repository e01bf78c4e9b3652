import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { specifiersOf } from './sources.ts';

const ROOT = findProjectRoot();
/** `currentShape` throws in a project without a shape, so a test that needs one cannot run there by mistake. */
const SHAPE = join(ROOT, 'test', 'env', 'shape.ts');

const knownImports = new Map<string, readonly string[]>();

function importsOf(file: string): readonly string[] {
  const imported =
    knownImports.get(file) ??
    specifiersOf(readFileSync(file, 'utf8'))
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => join(dirname(file), specifier))
      .filter((target) => target.startsWith(join(ROOT, 'test')));
  knownImports.set(file, imported);
  return imported;
}

/** A file in `test` and all files there that it imports, directly or indirectly. */
function reachedFrom(file: string): ReadonlySet<string> {
  const found = new Set([file]);
  for (const one of found) for (const target of importsOf(one)) found.add(target);
  return found;
}

it('a test that does not use the shape does not run in both shapes of D1 (jest.config.js)', () => {
  const listed = execFileSync(
    process.execPath,
    ['node_modules/jest/bin/jest.js', '--selectProjects', 'redis', 'redis-long', '--listTests'],
    { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const files = listed.split('\n').filter((line) => line.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(50);
  const without = files.filter((file) => !reachedFrom(file).has(SHAPE));
  expect(without.map((file) => relative(ROOT, file))).toEqual([]);
});
