import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { hashSources, isBuiltFrom, SOURCE_HASH_FILE } from './source-hash.ts';
import { makeViteConfig } from './vite-config.ts';

/** Builds the console into the folder, which is replaced as a whole at the end, so that a failed build leaves the earlier one. */
export async function buildConsole(folder: string): Promise<void> {
  const hash = hashSources();
  const work = `${folder}-${process.pid}`;
  try {
    await build(makeViteConfig(work));
    compressAssets(join(work, 'assets'));
    writeFileSync(join(work, SOURCE_HASH_FILE), hash);
    // Another process may have built the same meanwhile, and may serve it already.
    if (isBuiltFrom(folder, hash)) return;
    rmSync(folder, { recursive: true, force: true });
    renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The server sends the compressed file beside an asset to browsers that accept it. */
function compressAssets(folder: string): void {
  for (const name of readdirSync(folder))
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(readFileSync(join(folder, name))));
}
