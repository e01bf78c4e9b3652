import type { z } from 'zod';

/** The type of a part of a request after the endpoint's schema has parsed it; undefined if the endpoint has no such part. */
export type Parsed<Endpoint, Part extends 'params' | 'query' | 'body'> = Endpoint extends {
  readonly [Key in Part]: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;
