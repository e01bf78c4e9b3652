import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

/** All hand-written sources. */
export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(join('db', 'generated')));
}

export interface FoundImport {
  readonly specifier: string;
  /** True for `import type` and `export type`, of which nothing is left at run time. */
  readonly isTypeOnly: boolean;
}

/** The specifiers of static and dynamic imports and re-exports, types included. */
export function specifiersOf(text: string): string[] {
  return importsOf(text).map(({ specifier }) => specifier);
}

/** Static and dynamic imports and re-exports, types included. */
export function importsOf(text: string, { isTsx = false } = {}): FoundImport[] {
  const found: FoundImport[] = [];
  visit(parseSync(text, { syntax: 'typescript', tsx: isTsx }));
  return found;

  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    const { type, source, callee, arguments: args, typeOnly } = node as Record<string, unknown>;
    if (/^(Import|Export)/.test(String(type)) && isLiteral(source))
      found.push({ specifier: source.value, isTypeOnly: typeOnly === true });
    if (type === 'CallExpression' && (callee as { type?: string }).type === 'Import') {
      const [first] = args as { expression: unknown }[];
      if (isLiteral(first?.expression))
        found.push({ specifier: first.expression.value, isTypeOnly: false });
    }
    for (const value of Object.values(node)) visit(value);
  }
}

function isLiteral(node: unknown): node is { value: string } {
  return (
    typeof node === 'object' && node !== null && 'type' in node && node.type === 'StringLiteral'
  );
}

export function withoutComments(text: string): string {
  return text.replace(/\/\*.*?\*\//gs, '').replace(/\/\/.*$/gm, '');
}
