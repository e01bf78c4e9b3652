/** What a text in the search box of the header can be. */
export type JumpTarget =
  /** The form alone names the page. */
  | { readonly kind: 'page'; readonly path: string }
  /** The id of some object: which kind of object only the registry knows. */
  | { readonly kind: 'id'; readonly id: string }
  /** An identifier, a number or a code, which the registry has to find. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'nothing' };

const TRANSMISSION = /^PPAI-TX-\d{4}-\d{9,}$/;
const RECORD = /^PPAI-\d{4}-\d{9,}$/;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The registry searches no longer text. */
const CHARACTERS_MAX = 64;

/** Decides by its form where a reference leads. Case and spaces around it do not matter. */
export function targetOf(typed: string): JumpTarget {
  const text = typed.trim();
  if (text === '' || text.length > CHARACTERS_MAX) return { kind: 'nothing' };
  const reference = text.toUpperCase();
  if (TRANSMISSION.test(reference)) return { kind: 'page', path: `/transmissions/${reference}` };
  if (RECORD.test(reference)) return { kind: 'page', path: `/records/${reference}` };
  const id = text.toLowerCase();
  return ID.test(id) ? { kind: 'id', id } : { kind: 'text', text };
}
