/** What a caller prefers of RFC 7240 (D3, D4). */
export interface Preference {
  readonly respondAsync: boolean;
  /** 0 to WAIT_SECONDS_MAX; undefined when none, or none valid, was given. */
  readonly waitSeconds: number | undefined;
}

export const WAIT_SECONDS_MAX = 30;

/** Reads the joined `Prefer` headers. Unknown and invalid preferences are ignored; of a repeated one the first counts (RFC 7240, 2). */
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

/** The value of `Preference-Applied`, or undefined when nothing was honoured. */
export function preferenceApplied({ respondAsync, waitSeconds }: Preference): string | undefined {
  const honoured = [
    ...(respondAsync ? ['respond-async'] : []),
    ...(waitSeconds === undefined ? [] : [`wait=${waitSeconds}`]),
  ];
  return honoured.length === 0 ? undefined : honoured.join(', ');
}

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const PLAIN_VALUE = /^[^\s"]*$/;

/** Elements that are none are passed over. Time grows with the length of the header and no faster. */
function* preferencesOf(header: string): Generator<{ name: string; value: string }> {
  for (const element of split(header, ',')) {
    // None of ours has parameters.
    const [preference = ''] = split(element, ';');
    const [name = '', ...rest] = preference.split('=');
    const value = unquoted(rest.join('=').trim());
    if (TOKEN.test(name.trim()) && value !== undefined) {
      yield { name: name.trim().toLowerCase(), value };
    }
  }
}

/** At every separator that is not inside a quoted string. */
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

/** Undefined for what is neither a token nor a whole quoted string. */
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
