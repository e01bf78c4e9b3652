import type { Request } from 'express';
import { AppError } from '../../../shared/contract/errors.ts';
import type { Upload } from '../../../shared/contract/staff/endpoint.ts';
import { CallerGone } from '../respond.ts';
import { mediaTypeOf } from './read-json-body.ts';

/**
 * Streams a body as it arrives, without buffering it.
 * @throws {AppError} UNSUPPORTED_FILE at once; PAYLOAD_TOO_LARGE while it is read
 */
export function readUpload(
  request: Request,
  { mediaTypes, bytesMax }: Upload,
): AsyncIterable<Buffer> {
  const mediaType = mediaTypeOf(request);
  if (mediaType === undefined || !mediaTypes.includes(mediaType)) {
    throw new AppError('UNSUPPORTED_FILE', 'media type of the upload');
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new AppError('UNSUPPORTED_FILE', 'the upload is compressed');
  }
  return chunksOf(request, bytesMax);
}

/** Excess bytes that are read and discarded, so that the caller can read the answer. */
const UPLOAD_BYTES_DISCARDED_MAX = 16 * 1_048_576;

async function* chunksOf(request: Request, bytesMax: number): AsyncGenerator<Buffer> {
  // Leaving the loop early must not close the connection, which is needed for the answer.
  const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes <= bytesMax) yield chunk;
      else if (bytes > bytesMax + UPLOAD_BYTES_DISCARDED_MAX) break;
    }
  } catch (error) {
    if (error instanceof AppError || !request.destroyed || request.complete) throw error;
    throw new CallerGone('the upload was incomplete');
  }
  if (bytes > bytesMax) throw tooLarge(bytesMax);
}

function tooLarge(bytesMax: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `upload over ${bytesMax} bytes`, {
    message: `The file is over the size limit of ${Math.floor(bytesMax / 1_048_576)} MB.`,
    headers: { Connection: 'close' },
  });
}
