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

/** One element of the list: a token or quoted string after `=`, then parameters, which none of ours has. */
const ELEMENT =
  /\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s;,"]*))?((?:[^,"]|"(?:[^"\\]|\\.)*")*)(?:,|$)/y;

function* preferencesOf(header: string): Generator<{ name: string; value: string }> {
  ELEMENT.lastIndex = 0;
  while (ELEMENT.lastIndex < header.length) {
    const start = ELEMENT.lastIndex;
    const match = ELEMENT.exec(header);
    if (match === null) {
      const comma = header.indexOf(',', start);
      if (comma === -1) return;
      ELEMENT.lastIndex = comma + 1;
      continue;
    }
    const [, name = '', value = ''] = match;
    yield { name: name.toLowerCase(), value: unquoted(value) };
  }
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}
