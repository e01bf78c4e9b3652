import { isPlain } from '../contract/text.ts';

/**
 * NFKC-normalized and trimmed; an empty string counts as absent (D7).
 * Null for absent.
 */
export function normalizeText(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  if (isPlain(text)) return text;
  const normal = text.normalize('NFKC').trim();
  return normal === '' ? null : normal;
}
