import type { z } from 'zod';
import { ERRORS, type ErrorCode } from '../errors.ts';
import type { JsonSchema, SchemaCollector } from './schemas.ts';

export interface ErrorResponse {
  /** The schema of the whole answer. */
  readonly answer: z.ZodType;
  readonly headers: object;
  readonly examples?: object;
}

/** The error responses of an endpoint, one per HTTP status. `make` gets the status and the endpoint's codes with it. */
export function errorResponses(
  codes: Iterable<ErrorCode>,
  collector: SchemaCollector,
  make: (status: number, codes: readonly ErrorCode[]) => ErrorResponse,
): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { http } = ERRORS[code];
    byStatus.set(http, [...(byStatus.get(http) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => {
      const { answer, headers, ...examples } = make(status, ofStatus);
      const description = ofStatus.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join('\n\n');
      const schema = withCodes(collector.convert(answer, 'output'), ofStatus);
      const content = { 'application/json': { schema, ...examples } };
      return [String(status), { description, headers, content }];
    }),
  );
}

/** The schema of an error answer with only these codes. */
function withCodes({ properties, ...schema }: JsonSchema, codes: readonly ErrorCode[]): JsonSchema {
  const { error, ...members } = properties as Record<string, JsonSchema>;
  const isOneOf = { type: 'object', properties: { code: { type: 'string', enum: codes } } };
  return { ...schema, properties: { ...members, error: { allOf: [error, isOneOf] } } };
}
