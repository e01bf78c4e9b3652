/** Printable ASCII without a space at its ends is its own normal form: nearly all that comes. */
const NORMAL = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * NFKC-normalized and trimmed; an empty string counts as absent (D7).
 * Null for absent.
 */
export function normalizeText(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  if (NORMAL.test(text)) return text;
  const normal = text.normalize('NFKC').trim();
  return normal === '' ? null : normal;
}
