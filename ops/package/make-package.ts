import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { findProjectRoot } from '../../shared/platform/project-root.ts';

export const PACKAGE_NAME = 'transmission-registry-client';

const Manifest = z.object({
  version: z.string(),
  license: z.string(),
  engines: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
});

/**
 * Compiles `client/` and `shared/contract/` to modules with types, and packs them with `npm pack` (D41). Returns the path of the
 * tarball, which is in `dist`.
 */
export function makePackage({ dist = join(findProjectRoot(), 'dist') } = {}): string {
  const root = findProjectRoot();
  const folder = join(dist, 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
  run(
    process.execPath,
    [
      join(dirname(tsc), 'bin', 'tsc'),
      '-p',
      join('ops', 'package', 'tsconfig.json'),
      '--outDir',
      folder,
    ],
    root,
  );
  copyFileSync(join(root, 'client', 'package-readme.md'), join(folder, 'README.md'));
  const manifest = makeManifest(root, folder);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', dist], folder);
  return join(dist, `${PACKAGE_NAME}-${manifest.version}.tgz`);
}

function makeManifest(root: string, folder: string) {
  const { version, license, engines, dependencies } = Manifest.parse(
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  );
  return {
    name: PACKAGE_NAME,
    version,
    description: 'Client and command line of the transmission registry',
    license,
    type: 'module',
    engines,
    bin: { registry: 'client/main.js' },
    exports: {
      '.': { types: './client/registry-client.d.ts', default: './client/registry-client.js' },
      './*': { types: './client/*.d.ts', default: './client/*.js' },
      './contract/*': {
        types: './shared/contract/*.d.ts',
        default: './shared/contract/*.js',
      },
    },
    dependencies: Object.fromEntries(
      importedPackages(folder).map((name) => {
        const declared = dependencies[name];
        if (declared === undefined) throw new Error(`${name} is not a dependency in package.json`);
        return [name, declared];
      }),
    ),
  };
}

/** The packages that the compiled modules import, sorted by name. */
function importedPackages(folder: string): string[] {
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  // The compiler writes each import on one line.
  const imports =
    /^(?:import|export) (?:.* from )?['"]([^'"]+)['"];|\bimport\(['"]([^'"]+)['"]\)/gm;
  const specifiers = modules.flatMap((text) =>
    [...text.matchAll(imports)].map(([, atTop, inside]) => atTop ?? inside ?? ''),
  );
  const packages = specifiers
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return [...new Set(packages)].sort();
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { error, status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stdout}${stderr}`);
}
