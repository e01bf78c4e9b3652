/** Unique texts by name. */
export type Canaries = Readonly<Record<string, string>>;

/** A canary that was found, and its form. */
export interface CanaryHit {
  readonly canary: string;
  readonly form: string;
}

const LETTERS_MIN = 8;

/**
 * Finds every form of every canary in the bytes: as sent, NFKC, in lower and upper case, only its digits, JSON-escaped,
 * URL-encoded, hexadecimal, Latin-1, and base64 and base64url at each of the three byte offsets.
 */
export function findCanaries(canaries: Canaries, bytes: Buffer | string): CanaryHit[] {
  const hay = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes;
  return Object.entries(canaries).flatMap(([canary, text]) =>
    [...formsOf(text)].filter(([, form]) => hay.includes(form)).map(([form]) => ({ canary, form })),
  );
}

export function formsOf(sent: string): Map<string, string> {
  const forms = new Map<string, string>();
  const spellings = { sent, nfkc: sent.normalize('NFKC'), nfd: sent.normalize('NFD') };
  for (const [name, text] of Object.entries(spellings)) {
    forms.set(name, text);
    forms.set(`${name} lower`, text.toLowerCase());
    forms.set(`${name} upper`, text.toUpperCase());
    forms.set(`${name} JSON`, JSON.stringify(text).slice(1, -1));
    forms.set(`${name} JSON in ASCII`, asciiJson(text));
    forms.set(`${name} URL`, encodeURIComponent(text));
    forms.set(`${name} form`, new URLSearchParams({ '': text }).toString().slice(1));
    const bytes = Buffer.from(text, 'utf8');
    forms.set(`${name} hex`, bytes.toString('hex'));
    forms.set(`${name} Latin-1`, bytes.toString('latin1'));
    for (const before of [0, 1, 2]) {
      forms.set(`${name} base64 +${before}`, base64Of(bytes, before, 'base64'));
      forms.set(`${name} base64url +${before}`, base64Of(bytes, before, 'base64url'));
    }
  }
  const digits = sent.replace(/\D/g, '');
  if (digits.length >= LETTERS_MIN) forms.set('digits', digits);
  return forms;
}

function asciiJson(text: string): string {
  return [...Array(text.length).keys()]
    .map((at) => {
      const code = text.charCodeAt(at);
      return code < 0x80 ? text.charAt(at) : `\\u${code.toString(16).padStart(4, '0')}`;
    })
    .join('');
}

/** The base64 characters that do not depend on the bytes before and after. */
function base64Of(bytes: Buffer, before: number, encoding: 'base64' | 'base64url'): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString(encoding);
  const whole = Math.floor(((before + bytes.length) * 8) / 6);
  return text.slice(Math.ceil((before * 8) / 6), whole);
}
