import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const KIB = 1_024;
/** Bytes after compression with brotli. */
const ENTRY_BYTES_MAX = 170 * KIB;
const PAGE_BYTES_MAX = 220 * KIB;
const STYLE_BYTES_MAX = 15 * KIB;

/** Vite's manifest: source or chunk → the files that it needs. */
const Manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().default(false),
    isDynamicEntry: z.boolean().default(false),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
);
type Manifest = z.infer<typeof Manifest>;

/** What a built console weighs, one line a part, and what exceeds its budget. */
export function weighConsole(folder: string): { lines: string[]; problems: string[] } {
  const manifest = Manifest.parse(
    JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8')),
  );
  const names = Object.keys(manifest);
  const entry = names.filter((name) => manifest[name]?.isEntry);
  const pages = names.filter((name) => manifest[name]?.isDynamicEntry);
  const parts = [
    { name: 'entry script', bytes: scriptBytes(folder, manifest, entry), max: ENTRY_BYTES_MAX },
    { name: 'styles', bytes: styleBytes(folder, manifest), max: STYLE_BYTES_MAX },
    ...pages.map((page) => ({
      name: `page ${page}`,
      bytes: scriptBytes(folder, manifest, [...entry, page]),
      max: PAGE_BYTES_MAX,
    })),
  ];
  const describe = ({ name, bytes, max }: (typeof parts)[number]): string =>
    `${name}: ${(bytes / KIB).toFixed(1)} of ${max / KIB} KiB`;
  return {
    lines: parts.map(describe),
    problems: parts.filter(({ bytes, max }) => bytes > max).map(describe),
  };
}

/** The scripts that the browser loads for these chunks, each counted once. */
function scriptBytes(folder: string, manifest: Manifest, chunks: readonly string[]): number {
  const reached = new Set(chunks);
  for (const name of reached) for (const next of manifest[name]?.imports ?? []) reached.add(next);
  return sum([...reached].map((name) => compressedBytes(folder, manifest[name]?.file ?? '')));
}

function styleBytes(folder: string, manifest: Manifest): number {
  const files = new Set(Object.values(manifest).flatMap(({ css }) => css));
  return sum([...files].map((file) => compressedBytes(folder, file)));
}

function compressedBytes(folder: string, file: string): number {
  return statSync(join(folder, `${file}.br`)).size;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
