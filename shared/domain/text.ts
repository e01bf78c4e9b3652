import { isPlain } from '../contract/text.ts';

/** The text in NFKC form, without outer spaces; null when absent or empty (D7). */
export function normalizeText(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  if (isPlain(text)) return text;
  const normal = text.normalize('NFKC').trim();
  return normal === '' ? null : normal;
}
