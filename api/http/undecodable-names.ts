import type { RequestHandler } from 'express';

/** U+0000, a name that no resource has. */
const UNUSED_NAME = '%00';

/**
 * Replaces each part of the path that is not percent-encoded UTF-8 by a name that no resource has. The router would refuse such
 * a path before the authentication steps; this way the caller is authenticated first and then gets NOT_FOUND, as for any other
 * unknown name. The signature covers the original target (D19).
 */
export const replaceUndecodableNames: RequestHandler = (request, _response, next) => {
  const [path = '', ...query] = request.url.split('?');
  const parts = path.split('/');
  if (!parts.every(isDecodable)) {
    const decodable = parts.map((part) => (isDecodable(part) ? part : UNUSED_NAME)).join('/');
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
