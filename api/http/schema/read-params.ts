import type { Request } from 'express';
import type { z } from 'zod';
import { AppError } from '../../../shared/contract/errors.ts';

/** Parses path parameters. No resource can have an invalid name, so it is not found. @throws {AppError} NOT_FOUND */
export function readParams(schema: z.ZodObject | undefined, params: Request['params']): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new AppError('NOT_FOUND', 'a path parameter is not a valid name');
}
