import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Response } from 'express';

/** A shorter answer fits in one packet anyway. */
const COMPRESSED_BYTES_MIN = 1_025;
/** About as fast as gzip. The default, 11, takes many times as long. */
const BROTLI_QUALITY = 4;

const COMPRESS = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
  gzip: (body: Buffer) => promisify(gzip)(body),
} as const;

/**
 * Lets the answer be compressed as the caller accepts (D39). Danger: never for an answer that has a secret beside text of
 * the request, whose length would tell whether the two are alike (BREACH).
 */
export function allowCompression(response: Response): void {
  response.locals['mayCompress'] = true;
  response.vary('Accept-Encoding');
}

/** Ends the answer with this body, compressed if that is allowed, wanted and worth it. */
export async function endWithBody(response: Response, body: Buffer): Promise<void> {
  const encoding = encodingFor(response, body);
  const sent = encoding === undefined ? body : await COMPRESS[encoding](body);
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', sent.length);
  response.end(sent);
}

function encodingFor(response: Response, body: Buffer): keyof typeof COMPRESS | undefined {
  if (response.locals['mayCompress'] !== true || body.length < COMPRESSED_BYTES_MIN) return;
  const wanted = response.req.acceptsEncodings('br', 'gzip', 'identity');
  return wanted === 'br' || wanted === 'gzip' ? wanted : undefined;
}
