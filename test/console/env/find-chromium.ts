import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { findOnPath } from '../../env/servers/debian-packages.ts';

export interface Chromium {
  readonly path: string;
  /** For LD_LIBRARY_PATH; undefined where the system's own libraries do. */
  readonly libraries: string | undefined;
}

const REMEDY = 'Install Chromium, or set CHROMIUM_PATH to its program.';

/** Chromium of the environment, of the system, or of the npm package that brings one (Linux, x64). Throws with a remedy. */
export function findChromium(): Chromium {
  const given = process.env['CHROMIUM_PATH'] ?? findOnPath('chromium');
  return given === undefined ? findPackagedChromium() : { path: given, libraries: undefined };
}

function findPackagedChromium(): Chromium {
  const folder = join(findProjectRoot(), '.cache', `chromium-${process.arch}`);
  if (!existsSync(folder)) unpack(folder);
  const path = join(folder, 'chromium');
  const libraries = join(folder, 'al2023', 'lib');
  const found = [undefined, libraries].find((own) => runs(path, own));
  if (found === undefined && !runs(path, undefined))
    throw new Error(`The Chromium of @sparticuz/chromium does not run here. ${REMEDY}`);
  return { path, libraries: found };
}

const UNPACK = fileURLToPath(new URL('./unpack-chromium.ts', import.meta.url));
/** The package brings libraries for this runtime. */
const RUNTIME = 'nodejs20.x';

/** Unpacks beside the folder and then moves, so that an interrupted run leaves nothing that looks complete. */
function unpack(folder: string): void {
  const cache = join(folder, '..');
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'unpacking-'));
  try {
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', UNPACK], {
      cwd: findProjectRoot(),
      env: { ...process.env, TMPDIR: work, AWS_LAMBDA_JS_RUNTIME: RUNTIME },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`no Chromium: ${stderr}\n${REMEDY}`);
    // Another worker of the same run may have been faster.
    if (!existsSync(folder)) renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function runs(path: string, libraries: string | undefined): boolean {
  const env = libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries };
  return spawnSync(path, ['--version'], { env: { ...process.env, ...env } }).status === 0;
}
