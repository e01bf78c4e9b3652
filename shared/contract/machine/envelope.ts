import { z } from 'zod';
import { ERROR_CODES } from '../errors.ts';
import { Finding } from '../findings.ts';

export const ErrorBody = z
  .strictObject({
    code: z.enum(ERROR_CODES),
    message: z.string(),
    details: z.array(Finding).optional(),
    requestId: z.string().optional(),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The shape of every JSON answer (api.md, "Envelope"). */
export interface Envelope<Data = object> {
  readonly success: boolean;
  readonly data: Data | null;
  readonly error: ErrorBody | null;
}

export function successEnvelope<Data extends object>(data: Data): Envelope<Data> {
  return { success: true, data, error: null };
}

export function errorEnvelope<Data extends object>(
  error: ErrorBody,
  data: Data | null = null,
): Envelope<Data> {
  return { success: false, data, error };
}

/** The schema of a success answer around `data`. */
export function successSchema<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ success: z.literal(true), data, error: z.null() });
}

/** The schema of an error answer with `data`: a rejection or a conflict. */
export function errorSchema(data: z.ZodType) {
  return z.strictObject({ success: z.literal(false), data, error: ErrorBody });
}

/** The schema of every other error answer: its `data` is null. */
export const ErrorAnswer = errorSchema(z.null());
