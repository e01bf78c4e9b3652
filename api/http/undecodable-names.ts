import type { RequestHandler } from 'express';

/** Of a name that nothing has: no text of the service holds U+0000. */
const NOTHING = '%00';

/**
 * Puts the name of nothing where a part of the path is not percent-encoded UTF-8. The router would give up on it before the
 * gate; so it is asked for its credentials first and is then not found, as every other name of nothing. What is signed is
 * the target as sent (D19).
 */
export const replaceUndecodableNames: RequestHandler = (request, _response, next) => {
  const [path = '', ...query] = request.url.split('?');
  const parts = path.split('/');
  if (!parts.every(isDecodable)) {
    const decodable = parts.map((part) => (isDecodable(part) ? part : NOTHING)).join('/');
    request.url = [decodable, ...query].join('?');
  }
  next();
};

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
