import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

/** Those that are written by hand. */
export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts'),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(join('db', 'generated')));
}

/** Static and dynamic imports and re-exports, types included. */
export function specifiersOf(text: string): string[] {
  const found: string[] = [];
  visit(parseSync(text, { syntax: 'typescript' }));
  return found;

  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    const { type, source, callee, arguments: args } = node as Record<string, unknown>;
    if (/^(Import|Export)/.test(String(type)) && isLiteral(source)) found.push(source.value);
    if (type === 'CallExpression' && (callee as { type?: string }).type === 'Import') {
      const [first] = args as { expression: unknown }[];
      if (isLiteral(first?.expression)) found.push(first.expression.value);
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
