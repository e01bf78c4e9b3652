export type PathPart = string | number;

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;
/** Replaces a member name that could contain anything, including personal data. */
const UNPLAIN_NAME = '(unprintable)';

/** `vehicles[3].plateNumber`; null for the whole body. */
export function pathOf(parts: readonly PropertyKey[]): string | null {
  if (parts.length === 0) return null;
  return parts.reduce<string>((path, part) => {
    if (typeof part === 'number') return `${path}[${part}]`;
    const name = PLAIN_NAME.test(String(part)) ? String(part) : UNPLAIN_NAME;
    return path === '' ? name : `${path}.${name}`;
  }, '');
}
