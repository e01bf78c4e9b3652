import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { readManifest } from '../../supply-chain/locked-packages.ts';
import { filesUnder } from './sources.ts';

const ROOT = findProjectRoot();
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'client/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const README_LINES_MAX = 150;

describe.each(DOCUMENTS)('%s', (path) => {
  const text = read(path);

  it('links to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\(([^)\s:]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !isThere(path, link))).toEqual([]);
  });

  it('names files of the project that exist', () => {
    const named = [
      ...text.matchAll(/`((?:api|worker|shared|client|console|ops|test|prisma|docs)\/[^`\s<]*)`/g),
    ];
    expect(named.map(([, file = '']) => file).filter((file) => !beginsAFile(file))).toEqual([]);
  });

  it('names commands that exist', () => {
    const { scripts } = readManifest();
    const named = [
      ...text.matchAll(/(?:^|[`(] *)npm\s+(?:run\s+)?(?:--silent )?([a-z][a-z:]*)/gm),
    ].map(([, name = '']) => name);
    const known = new Set([...Object.keys(scripts), 'ci', 'install']);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

it('the README is short', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(README_LINES_MAX);
});

it('every decision that code or tests cite has an entry in docs/decisions.md', () => {
  const folders = ['api', 'worker', 'shared', 'client', 'console', 'ops', 'test'];
  const files = folders.flatMap((folder) => filesUnder(join(ROOT, folder)));
  const cited = files.flatMap((file) => readFileSync(file, 'utf8').match(/\bD\d{1,2}\b/g) ?? []);
  expect(new Set(cited).size).toBeGreaterThan(30);
  const entries = new Set(
    [...read('docs/decisions.md').matchAll(/^- \*\*(D\d+) /gm)].map(([, number = '']) => number),
  );
  expect([...new Set(cited)].filter((number) => !entries.has(number))).toEqual([]);
});

/** `link` is relative to the document, and may name a heading. */
function isThere(document: string, link: string): boolean {
  const [file = '', heading] = link.split('#');
  const target = file === '' ? document : join(dirname(document), file);
  if (!existsSync(join(ROOT, target))) return false;
  if (heading === undefined) return true;
  const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => slugOf(title));
  return headings.includes(heading);
}

/** The anchor that GitHub makes for a heading. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

/** Documents may omit the ending of a file name, or name several files by a common prefix. */
function beginsAFile(path: string): boolean {
  if (existsSync(join(ROOT, path))) return true;
  const folder = join(ROOT, dirname(path));
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(basename(path)));
}
