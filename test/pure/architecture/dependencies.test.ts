import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import satisfies from 'spdx-satisfies';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import {
  isOfProduction,
  type LockedPackage,
  readLock,
  readManifest,
} from '../../supply-chain/locked-packages.ts';

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;
/** Licences that require only attribution, or nothing. */
const LICENCES = [
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
];

const manifest = readManifest();
const { root, packages } = readLock();

describe('dependencies', () => {
  it('have exact versions, and the lock file the same', () => {
    const declared = { ...manifest.dependencies, ...manifest.devDependencies };
    expect(Object.entries(declared).filter(([, version]) => !EXACT.test(version))).toEqual([]);
    expect({ ...root.dependencies, ...root.devDependencies }).toEqual(declared);
    const locked = new Map(packages.map(({ path, version }) => [path, version]));
    for (const [name, version] of Object.entries(declared)) {
      expect([name, locked.get(`node_modules/${name}`)]).toEqual([name, version]);
    }
  });

  it('have their digest in the lock file, except optional ones for other platforms', () => {
    const without = packages.filter(({ integrity }) => integrity === undefined);
    const needed = without.filter(
      ({ optional, os, cpu }) => optional !== true || (os === undefined && cpu === undefined),
    );
    expect(needed.map(({ path }) => path)).toEqual([]);
    const weak = packages.filter(({ integrity = 'sha512-' }) => !integrity.startsWith('sha512-'));
    expect(weak.map(({ path }) => path)).toEqual([]);
  });

  it('do not name the registry that they came from', () => {
    expect(packages.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it('of production have a listed licence', () => {
    const refused = packages
      .filter(isOfProduction)
      .map((one) => [one.path, licenceOf(one)] as const)
      .filter(([, licence]) => !isAllowed(licence));
    expect(refused).toEqual([]);
  });
});

describe('a licence', () => {
  it.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['MIT AND ISC', true],
    ['MIT AND GPL-3.0-only', false],
    ['GPL-3.0-only', false],
    ['UNLICENSED', false],
    ['SEE LICENSE IN LICENSE.md', false],
    [undefined, false],
  ])('%s is allowed: %s', (licence, allowed) => {
    expect(isAllowed(licence)).toBe(allowed);
  });
});

/** The licence in the installed package, or in the lock file for a package of another platform. */
function licenceOf({ path, optional, license, os, cpu }: LockedPackage): string | undefined {
  const file = join(findProjectRoot(), path, 'package.json');
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { license?: string }).license;
  } catch {
    const isElsewhere = optional === true && (os !== undefined || cpu !== undefined);
    // A package that is not installed has the licence of its family, which is checked on platforms that install it.
    return isElsewhere ? (license ?? 'MIT') : undefined;
  }
}

function isAllowed(licence: string | undefined): boolean {
  try {
    return licence !== undefined && satisfies(licence, LICENCES);
  } catch {
    return false;
  }
}
