import type { RequestHandler } from 'express';
import { checkQuery, makeSchemaError } from './schema/check-schema.ts';
import { readQuery } from './schema/read-query.ts';

/** For public documents, which have no query parameters (D47). */
export const refuseParameters: RequestHandler = (request, _response, next) => {
  const { findings } = checkQuery(undefined, readQuery(request.originalUrl));
  if (findings !== undefined) throw makeSchemaError(findings);
  next();
};
