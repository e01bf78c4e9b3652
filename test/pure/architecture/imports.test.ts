import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { filesUnder, specifiersOf, withoutComments } from './sources.ts';

const ROOT = findProjectRoot();

const SHARED = [
  'shared/contract',
  'shared/domain',
  'shared/platform',
  'shared/db',
  'shared/queue',
  'shared/store',
];

/** Who may import whom: every area lists the other areas it may import. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'shared/contract': [],
  'shared/domain': ['shared/contract'],
  'shared/platform': [],
  'shared/db': ['shared/contract', 'shared/domain', 'shared/platform'],
  'shared/queue': ['shared/contract', 'shared/platform', 'shared/db'],
  'shared/store': ['shared/contract', 'shared/domain', 'shared/platform', 'shared/db'],
  client: ['shared/contract'],
  api: SHARED,
  worker: SHARED,
  ops: [...SHARED, 'client', 'api', 'worker'],
};

/** Packages that only these areas may know. */
const ONLY_IN: readonly { readonly packages: RegExp; readonly areas: readonly string[] }[] = [
  { packages: /^(@prisma\/|\.prisma)/, areas: ['shared/db', 'shared/store'] },
  { packages: /^bullmq$/, areas: ['shared/queue'] },
  { packages: /^express$/, areas: ['api'] },
  { packages: /^ioredis$/, areas: ['shared/platform', 'shared/queue', 'api'] },
];

/** What the published language may use; the rules of the domain may use nothing. */
const PACKAGES_OF_CONTRACT = ['zod', 'node:crypto'];

interface Import {
  readonly file: string;
  readonly area: string;
  readonly specifier: string;
  /** Undefined for a package. */
  readonly target: string | undefined;
}

const sources = Object.keys(MAY_IMPORT).flatMap((area) =>
  filesUnder(join(ROOT, area)).map((file) => ({ file, area, text: readFileSync(file, 'utf8') })),
);
const imports: Import[] = sources.flatMap(({ file, area, text }) =>
  specifiersOf(text).map((specifier) => ({
    file: relative(ROOT, file),
    area,
    specifier,
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

  it('follow the table of who may import whom', () => {
    const wrong = local.filter(({ area, target }) => {
      const targetArea = areaOf(target);
      return targetArea !== area && !(MAY_IMPORT[area] ?? []).includes(targetArea);
    });
    expect(wrong.map(describeImport)).toEqual([]);
  });

  it('never reach into test/', () => {
    expect(local.filter(({ target }) => target.startsWith('test/')).map(describeImport)).toEqual(
      [],
    );
  });

  it('keep the contract to zod and the domain to nothing', () => {
    const wrong = packages.filter(
      ({ area, specifier }) =>
        area === 'shared/domain' ||
        (area === 'shared/contract' && !PACKAGES_OF_CONTRACT.includes(specifier)),
    );
    expect(wrong.map(describeImport)).toEqual([]);
  });

  it('name Prisma, BullMQ, Express and ioredis only where they belong', () => {
    const wrong = packages.filter(({ area, specifier }) =>
      ONLY_IN.some((rule) => rule.packages.test(specifier) && !rule.areas.includes(area)),
    );
    expect(wrong.map(describeImport)).toEqual([]);
  });

  it('name the modules of Node with their prefix and files with their extension', () => {
    const wrong = imports.filter(({ specifier, target }) =>
      target === undefined
        ? isBuiltin(specifier) && !specifier.startsWith('node:')
        : !/\.(ts|js|json)$/.test(specifier),
    );
    expect(wrong.map(describeImport)).toEqual([]);
  });
});

describe('the domain', () => {
  it('is synchronous and knows neither clock, chance nor environment', () => {
    const impure =
      /\basync\b|\bawait\b|\bPromise\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\b/;
    const wrong = sources.filter(
      ({ area, text }) => area === 'shared/domain' && impure.test(withoutComments(text)),
    );
    expect(wrong.map(({ file }) => relative(ROOT, file))).toEqual([]);
  });
});

describe('the environment', () => {
  it('is read by readConfig only; the programs hand it over whole', () => {
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
