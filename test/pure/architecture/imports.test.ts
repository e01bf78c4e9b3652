import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { filesUnder, importsOf, withoutComments } from './sources.ts';

const ROOT = findProjectRoot();

const SHARED = [
  'shared/contract',
  'shared/domain',
  'shared/platform',
  'shared/db',
  'shared/queue',
  'shared/store',
];

/** The areas that each area may import. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'shared/contract': [],
  'shared/domain': ['shared/contract'],
  'shared/platform': [],
  'shared/db': ['shared/contract', 'shared/domain', 'shared/platform'],
  'shared/queue': ['shared/contract', 'shared/platform', 'shared/db'],
  'shared/store': ['shared/contract', 'shared/domain', 'shared/platform', 'shared/db'],
  client: ['shared/contract'],
  console: ['shared/contract'],
  api: SHARED,
  worker: SHARED,
  ops: [...SHARED, 'client', 'api', 'worker'],
};

/** Packages that only these areas may import. */
const ONLY_IN: readonly { readonly packages: RegExp; readonly areas: readonly string[] }[] = [
  { packages: /^(@prisma\/|\.prisma)/, areas: ['shared/db', 'shared/store'] },
  { packages: /^bullmq$/, areas: ['shared/queue'] },
  { packages: /^express$/, areas: ['api'] },
  { packages: /^ioredis$/, areas: ['shared/platform', 'shared/queue', 'api'] },
  {
    packages: /^(react|react-dom|wouter|uqr|uplot)(\/|$)/,
    areas: ['console'],
  },
  { packages: /^@tanstack\//, areas: ['console'] },
  { packages: /^vite$/, areas: ['ops'] },
];

/** The packages that reach the browser, and the constants that the build makes of the contract. */
const PACKAGES_OF_CONSOLE =
  /^(react|react-dom(\/client)?|@tanstack\/react-query|wouter|uqr|uplot(\/dist\/uPlot\.min\.css)?|virtual:contract)$/;

/** Packages that the contract may import; the domain may import none. */
const PACKAGES_OF_CONTRACT = ['zod', 'node:crypto'];

interface Import {
  readonly file: string;
  readonly area: string;
  readonly specifier: string;
  readonly isTypeOnly: boolean;
  /** Undefined for a package's module. */
  readonly target: string | undefined;
}

const sources = Object.keys(MAY_IMPORT).flatMap((area) =>
  filesUnder(join(ROOT, area)).map((file) => ({ file, area, text: readFileSync(file, 'utf8') })),
);
const imports: Import[] = sources.flatMap(({ file, area, text }) =>
  importsOf(text, { isTsx: file.endsWith('.tsx') }).map(({ specifier, isTypeOnly }) => ({
    file: relative(ROOT, file),
    area,
    specifier,
    isTypeOnly,
    target: specifier.startsWith('.') ? relative(ROOT, join(dirname(file), specifier)) : undefined,
  })),
);
const local = imports.flatMap((entry) =>
  entry.target === undefined ? [] : [{ ...entry, target: entry.target }],
);
const packages = imports.filter(({ target }) => target === undefined);

describe('imports', () => {
  it('are found', () => {
    expect(local.length).toBeGreaterThan(50);
    expect(packages.length).toBeGreaterThan(50);
  });

  it('follow the table of allowed imports', () => {
    const wrong = local.filter(({ area, target }) => {
      const targetArea = areaOf(target);
      return targetArea !== area && !(MAY_IMPORT[area] ?? []).includes(targetArea);
    });
    expect(wrong.map(describeImport)).toEqual([]);
  });

  it('never import from test/', () => {
    expect(local.filter(({ target }) => target.startsWith('test/')).map(describeImport)).toEqual(
      [],
    );
  });

  it('allow the contract only zod and the domain no package', () => {
    const wrong = packages.filter(
      ({ area, specifier }) =>
        area === 'shared/domain' ||
        (area === 'shared/contract' && !PACKAGES_OF_CONTRACT.includes(specifier)),
    );
    expect(wrong.map(describeImport)).toEqual([]);
  });

  it('of the console bring only its own files and the packages of the browser to the browser', () => {
    const atRunTime = imports.filter(({ area, isTypeOnly }) => area === 'console' && !isTypeOnly);
    expect(atRunTime.length).toBeGreaterThan(50);
    const wrong = atRunTime.filter(({ specifier, target }) =>
      target === undefined ? !PACKAGES_OF_CONSOLE.test(specifier) : areaOf(target) !== 'console',
    );
    expect(wrong.map(describeImport)).toEqual([]);
  });

  it('use Prisma, BullMQ, Express, ioredis, React and Vite only in their areas', () => {
    const wrong = packages.filter(({ area, specifier }) =>
      ONLY_IN.some((rule) => rule.packages.test(specifier) && !rule.areas.includes(area)),
    );
    expect(wrong.map(describeImport)).toEqual([]);
  });

  it('name the modules of Node with their prefix and files with their extension', () => {
    const wrong = imports.filter(({ specifier, target }) =>
      target === undefined
        ? isBuiltin(specifier) && !specifier.startsWith('node:')
        : !/\.(tsx?|js|json|css)$/.test(specifier),
    );
    expect(wrong.map(describeImport)).toEqual([]);
  });
});

describe('the domain', () => {
  it('is synchronous and uses no clock, random numbers or environment', () => {
    const impure =
      /\basync\b|\bawait\b|\bPromise\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\b/;
    const wrong = sources.filter(
      ({ area, text }) => area === 'shared/domain' && impure.test(withoutComments(text)),
    );
    expect(wrong.map(({ file }) => relative(ROOT, file))).toEqual([]);
  });
});

describe('the environment', () => {
  it('is read only by readConfig; programs pass it as a whole', () => {
    const wrong = sources.filter(
      ({ area, file, text }) =>
        area !== 'ops' &&
        !file.startsWith(join(ROOT, 'client')) &&
        /\bprocess\.env\b/.test(text.replaceAll('readConfig(process.env)', '')),
    );
    expect(wrong.map(({ file }) => relative(ROOT, file))).toEqual([]);
  });
});

function areaOf(path: string): string {
  const [first = '', second = ''] = path.split('/');
  return first === 'shared' ? `${first}/${second}` : first;
}

function describeImport({ file, specifier }: Import): string {
  return `${file} imports ${specifier}`;
}
