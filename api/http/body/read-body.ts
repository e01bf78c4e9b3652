import type { Request } from 'express';
import { AppError } from '../../../shared/contract/errors.ts';
import { BODY_BYTES_MAX } from '../../../shared/contract/machine/transmission.ts';
import { CallerGone } from '../respond.ts';

/**
 * The bytes of the body exactly as sent, without decoding, because they are signed (D19).
 * Excess bytes are read and discarded, so that the caller can read the answer.
 * @throws {AppError} PAYLOAD_TOO_LARGE
 */
export function readBody(request: Request, bytesMax = BODY_BYTES_MAX): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(new CallerGone('the request was incomplete'));
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else chunks.length = 0;
      if (bytes > BODY_BYTES_DISCARDED_MAX) {
        request.pause();
        reject(tooLarge(bytesMax, { Connection: 'close' }));
      }
    });
    request.on('end', () => {
      if (bytes > bytesMax) reject(tooLarge(bytesMax, {}));
      else resolve(Buffer.concat(chunks));
    });
    request.on('error', () => reject(new CallerGone('the request was incomplete')));
    request.on('close', () => reject(new CallerGone('the request was incomplete')));
  });
}

const BODY_BYTES_DISCARDED_MAX = 16 * BODY_BYTES_MAX;

function tooLarge(bytesMax: number, headers: Readonly<Record<string, string>>): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `body over ${bytesMax} bytes`, {
    headers,
    message: `The request body is over the size limit of ${bytesMax === BODY_BYTES_MAX ? '1 MB' : `${bytesMax / 1_024} KB`}.`,
  });
}
