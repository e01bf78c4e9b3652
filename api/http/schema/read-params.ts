import type { Request } from 'express';
import type { z } from 'zod';
import { AppError } from '../../../shared/contract/errors.ts';

/** The names in a path. A name that nothing can have is a name of nothing. @throws {AppError} NOT_FOUND */
export function readParams(schema: z.ZodObject | undefined, params: Request['params']): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new AppError('NOT_FOUND', 'path parameter is not a possible name');
}
