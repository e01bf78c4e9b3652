import { WAIT_SECONDS_MAX } from '../../shared/contract/machine/bounds.ts';

/** The preferences of RFC 7240 that the registry supports (D3, D4). */
export interface Preference {
  readonly respondAsync: boolean;
  /** 0 to WAIT_SECONDS_MAX; undefined when it is missing or invalid. */
  readonly waitSeconds: number | undefined;
}

/** Reads the joined `Prefer` headers. Unknown and invalid preferences are ignored. If one is repeated, the first counts (RFC 7240, 2). */
export function readPreference(header: string | undefined): Preference {
  let respondAsync = false;
  let waitSeconds: number | undefined;
  for (const { name, value } of preferencesOf(header ?? '')) {
    if (name === 'respond-async') respondAsync = true;
    if (name === 'wait' && waitSeconds === undefined && /^\d+$/.test(value)) {
      waitSeconds = Math.min(Number(value), WAIT_SECONDS_MAX);
    }
  }
  return { respondAsync, waitSeconds };
}

/** `Preference-Applied`, or no header when no preference was applied. */
export function preferenceHeaders({
  respondAsync,
  waitSeconds,
}: Preference): Readonly<Record<string, string>> {
  const applied = [
    ...(respondAsync ? ['respond-async'] : []),
    ...(waitSeconds === undefined ? [] : [`wait=${waitSeconds}`]),
  ];
  return applied.length === 0 ? {} : { 'Preference-Applied': applied.join(', ') };
}

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const PLAIN_VALUE = /^[^\s"]*$/;

/** Skips invalid elements. The time is linear in the length of the header. */
function* preferencesOf(header: string): Generator<{ name: string; value: string }> {
  for (const element of split(header, ',')) {
    // No supported preference has parameters.
    const [preference = ''] = split(element, ';');
    const [name = '', ...rest] = preference.split('=');
    const value = unquoted(rest.join('=').trim());
    if (TOKEN.test(name.trim()) && value !== undefined) {
      yield { name: name.trim().toLowerCase(), value };
    }
  }
}

/** Splits at every separator that is not inside a quoted string. */
function* split(text: string, separator: ',' | ';'): Generator<string> {
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === '\\' && isQuoted) at += 1;
    else if (character === separator && !isQuoted) {
      yield text.slice(start, at);
      start = at + 1;
    }
  }
  yield text.slice(start);
}

/** Undefined when the value is neither a token nor a complete quoted string. */
function unquoted(value: string): string | undefined {
  if (!value.startsWith('"')) return PLAIN_VALUE.test(value) ? value : undefined;
  let text = '';
  for (let at = 1; at < value.length; at += 1) {
    const character = value[at];
    if (character === '"') return at === value.length - 1 ? text : undefined;
    if (character === '\\') at += 1;
    text += value[at] ?? '';
  }
  return undefined;
}
