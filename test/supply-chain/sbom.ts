import { execFileSync } from 'node:child_process';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import { isOfProduction, nameAndVersion, readLock, readManifest } from './locked-packages.ts';

export interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

export interface Sbom {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

interface NpmSbom extends Sbom {
  readonly serialNumber: string;
  readonly metadata: Sbom['metadata'] & { readonly timestamp: string };
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * CycloneDX of every production dependency, on whatever platform, as the lock file has them. The same lock file gives the same
 * document, but for the version of npm that it names: without serial number, time, and the place each package came from.
 */
export function makeSbom(): Sbom {
  const output = execFileSync(
    'npm',
    // With --omit it would leave out what production and development share.
    ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
    {
      cwd: findProjectRoot(),
      encoding: 'utf8',
      maxBuffer: OUTPUT_BYTES_MAX,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const { serialNumber: _number, ...sbom } = JSON.parse(output, withoutPlaces) as NpmSbom;
  const kept = new Set(readLock().packages.filter(isOfProduction).map(nameAndVersion));
  const root = sbom.metadata.component['bom-ref'];
  const { timestamp: _time, component, ...metadata } = sbom.metadata;
  return {
    ...sbom,
    // npm names it after its folder.
    metadata: { ...metadata, component: { ...component, name: nameOf(component) } },
    components: sbom.components
      .filter(({ name, version }) => kept.has(`${name}@${version}`))
      .toSorted((a, b) => compare(a['bom-ref'], b['bom-ref'])),
    dependencies: sbom.dependencies
      .filter(({ ref }) => ref === root || kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }))
      .toSorted((a, b) => compare(a.ref, b.ref)),
  } as Sbom;
}

function withoutPlaces(key: string, value: unknown): unknown {
  return key === 'externalReferences' ? undefined : value;
}

function nameOf(component: Component): string {
  return (readManifest() as { readonly name?: string }).name ?? component.name;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
