import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot } from '../../shared/platform/project-root.ts';

export interface LockedPackage {
  /** Below the project, such as node_modules/pg. */
  readonly path: string;
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  /** Reached by a development dependency, and as an optional one of another. */
  readonly devOptional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

export interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(findProjectRoot(), name), 'utf8'));

export function readManifest(): Manifest {
  return read('package.json') as Manifest;
}

/** What the lock file says of the project itself, and of every package. */
export function readLock(): { readonly root: Manifest; readonly packages: LockedPackage[] } {
  const { packages } = read('package-lock.json') as {
    packages: Record<string, Omit<LockedPackage, 'path'>>;
  };
  const { '': root, ...others } = packages;
  return {
    root: root as unknown as Manifest,
    packages: Object.entries(others).map(([path, entry]) => ({ path, ...entry })),
  };
}

export const nameAndVersion = ({ path, version }: LockedPackage): string =>
  `${path.replace(/.*node_modules\//, '')}@${version}`;

/** Needed by the running program, on one platform or another. */
export function isOfProduction({ dev, devOptional }: LockedPackage): boolean {
  return dev !== true && devOptional !== true;
}
