import { inWords } from '../../words.ts';

type Members = Readonly<Record<string, unknown>> | null;

/** What an entry of the audit log changed, one line for each member: "Name: Alpha → Alpha Insurance". Without the reason. */
export function changesInWords(before: Members, after: Members): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  names.delete('reason');
  return [...names].flatMap((name) => {
    const [earlier, later] = [textOf(before?.[name]), textOf(after?.[name])];
    if (earlier === later) return [];
    return [`${titleOf(name)}: ${earlier === '' ? later : `${earlier} → ${later || 'none'}`}`];
  });
}

/** rateLimitPerMinute → Rate limit per minute. */
function titleOf(name: string): string {
  return inWords(name.replace(/[A-Z]/g, (letter) => `_${letter}`));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value === 'object') return Object.values(value).map(textOf).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
