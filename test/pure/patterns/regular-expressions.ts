import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { z } from 'zod';
import * as amendment from '../../../shared/contract/machine/amendment.ts';
import { ENDPOINTS } from '../../../shared/contract/machine/endpoints.ts';
import { BODY_BYTES_MAX } from '../../../shared/contract/machine/transmission.ts';
import { STAFF_BODY_BYTES_MAX } from '../../../shared/contract/staff/endpoint.ts';
import { STAFF_ENDPOINTS } from '../../../shared/contract/staff/endpoints.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { longestInput } from './longest-inputs.ts';

export interface Found {
  /** The path relative to the project. */
  readonly file: string;
  readonly pattern: RegExp;
}

export interface FoundInSource {
  readonly literals: readonly Found[];
  /** Files that make a pattern at run time, once per occurrence. */
  readonly made: readonly string[];
}

const FOLDERS = ['api', 'worker', 'shared', 'client', 'ops'];
const NOT_OURS = join('shared', 'db', 'generated');

/** Every regular expression of the product, with the maximum length of its texts. */
export function findAll(): (Found & { readonly longest: number })[] {
  return [
    ...findInSource().literals.map((found) => ({ ...found, longest: longestInput(found.file) })),
    ...findInSchema([ENDPOINTS, amendment]).map((pattern) => ({
      file: 'a schema',
      pattern,
      longest: BODY_BYTES_MAX,
    })),
    ...findInSchema(STAFF_ENDPOINTS).map((pattern) => ({
      file: 'a schema of the staff',
      pattern,
      longest: STAFF_BODY_BYTES_MAX,
    })),
  ];
}

/** The patterns in the product's sources, from their syntax trees. */
export function findInSource(): FoundInSource {
  const root = findProjectRoot();
  const literals: Found[] = [];
  const made: string[] = [];
  for (const file of FOLDERS.flatMap((folder) => sourcesIn(root, folder))) {
    const syntax = file.endsWith('.ts') ? 'typescript' : 'ecmascript';
    const tree = parseSync(readFileSync(join(root, file), 'utf8'), { syntax, target: 'es2024' });
    visit(tree.body, (node) => {
      if (node['type'] === 'RegExpLiteral') {
        const pattern = new RegExp(String(node['pattern']), String(node['flags']));
        literals.push({ file, pattern });
      }
      const { callee } = node;
      const isCall = node['type'] === 'NewExpression' || node['type'] === 'CallExpression';
      if (isCall && isNode(callee) && callee['value'] === 'RegExp') made.push(file);
    });
  }
  return { literals, made };
}

function sourcesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.(ts|js)$/.test(path) && !path.startsWith(NOT_OURS));
}

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, see);
  } else if (isNode(value)) {
    see(value);
    for (const member of Object.values(value)) visit(member, see);
  }
}

/** The patterns in the schemas of a table or module, from their JSON Schema. */
export function findInSchema(value: unknown): RegExp[] {
  const patterns = new Set<string>();
  collectPatterns(value, patterns, new Set());
  return [...patterns].map((pattern) => new RegExp(pattern, 'u'));
}

function collectPatterns(value: unknown, patterns: Set<string>, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (value instanceof z.ZodType) {
    const schema = z.toJSONSchema(value, { io: 'input', unrepresentable: 'any' });
    collectPatterns(schema, patterns, seen);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (name === 'pattern' && typeof member === 'string') patterns.add(member);
    collectPatterns(member, patterns, seen);
  }
}
