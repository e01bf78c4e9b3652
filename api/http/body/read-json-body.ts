import type { Request } from 'express';
import { makeFinding } from '../../../shared/contract/findings.ts';
import { singleHeader } from '../request-context.ts';
import { makeSchemaError } from '../schema/check-schema.ts';
import { type ReadJson, readJson } from './read-json.ts';

/** The media type in lower case without parameters. Undefined when it is missing, repeated, or in another character set than UTF-8. */
export function mediaTypeOf(request: Request): string | undefined {
  const [type = '', ...parameters] = (singleHeader(request, 'content-type') ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every(
    (parameter) => !parameter.startsWith('charset') || /^charset=("?)utf-?8\1$/.test(parameter),
  );
  return type !== '' && isUtf8 ? type : undefined;
}

/** @throws {AppError} VALIDATION_FAILED for a compressed body. */
export function requireIdentityEncoding(request: Request): void {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  throw makeSchemaError(
    [
      makeFinding(
        'INVALID_FORMAT',
        null,
        'A compressed body is not accepted; send it without Content-Encoding.',
      ),
    ],
    'content encoding',
  );
}

/** @throws {AppError} VALIDATION_FAILED when the body is not an uncompressed JSON object in UTF-8 (D6). */
export function requireJsonBody(request: Request, body: Buffer): ReadJson {
  requireIdentityEncoding(request);
  if (mediaTypeOf(request) !== 'application/json') {
    throw makeSchemaError(
      [makeFinding('INVALID_FORMAT', null, 'The Content-Type must be application/json in UTF-8.')],
      'content type',
    );
  }
  const read = readJson(body);
  if (read.findings !== undefined)
    throw makeSchemaError(read.findings, 'the body is not an acceptable JSON object');
  return read;
}
