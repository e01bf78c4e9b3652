import { parseSync } from '@swc/core';

const SQL_TAG = /^(\$queryRaw|\$executeRaw|sql)$/;
const SQL_CALL = /^(\$queryRawUnsafe|\$executeRawUnsafe)$/;

/** How many lines each SQL statement of a source text has, fragments that stand inside it included. */
export function sqlStatementLines(text: string): number[] {
  const lines: number[] = [];
  visit(parseSync(text, { syntax: 'typescript' }).body, (node) => {
    const { type, tag, callee } = node;
    const isTagged = type === 'TaggedTemplateExpression' && SQL_TAG.test(lastName(tag));
    const isCalled = type === 'CallExpression' && SQL_CALL.test(lastName(callee));
    if (isTagged) lines.push(countLines(node['template']));
    if (isCalled) lines.push(countLines(node['arguments']));
  });
  return lines;
}

type Node = Readonly<Record<string, unknown>>;

/** `$queryRaw` of `db.$queryRaw`; empty for anything but a name or a member. */
function lastName(node: unknown): string {
  const { value, property } = (node ?? {}) as Node;
  if (property !== undefined) return lastName(property);
  return typeof value === 'string' ? value : '';
}

function countLines(node: unknown): number {
  let lines = 1;
  visit(node, ({ type, raw }) => {
    if (type === 'TemplateElement') lines += String(raw).split('\n').length - 1;
  });
  return lines;
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) see(value as Node);
  for (const member of Object.values(value)) visit(member, see);
}
