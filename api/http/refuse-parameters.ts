import type { RequestHandler } from 'express';
import { checkQuery, makeSchemaError } from './schema/check-schema.ts';
import { readQuery } from './schema/read-query.ts';

/** Of a public document: it takes no query parameter (D47). */
export const refuseParameters: RequestHandler = (request, _response, next) => {
  const { findings } = checkQuery(undefined, readQuery(request.originalUrl));
  if (findings !== undefined) throw makeSchemaError(findings);
  next();
};
