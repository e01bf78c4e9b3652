import type { z } from 'zod';
import type { STAFF_ENDPOINTS, StaffEndpointName } from '../../shared/contract/staff/endpoints.ts';

type Table = typeof STAFF_ENDPOINTS;
export type EndpointName = StaffEndpointName;

/** The endpoints that only read. */
export type ReadName = {
  [Name in EndpointName]: Table[Name]['method'] extends 'GET' ? Name : never;
}[EndpointName];

type SchemaOf<Name extends EndpointName, Part extends string> = Table[Name] extends {
  readonly [Key in Part]: infer Schema extends z.ZodType;
}
  ? Schema
  : never;

export type QueryValue = string | number | boolean | undefined;

type PartOf<Name extends EndpointName, Part extends 'params' | 'body'> = [
  SchemaOf<Name, Part>,
] extends [never]
  ? unknown
  : { readonly [Key in Part]: z.input<SchemaOf<Name, Part>> };

type QueryOf<Name extends EndpointName> = [SchemaOf<Name, 'query'>] extends [never]
  ? unknown
  : { readonly query?: Partial<Record<keyof z.input<SchemaOf<Name, 'query'>>, QueryValue>> };

/** What a request to the endpoint consists of. */
export type RequestOf<Name extends EndpointName> = PartOf<Name, 'params'> &
  QueryOf<Name> &
  PartOf<Name, 'body'>;

type Replies<Name extends EndpointName> = Table[Name]['replies'];

/** `data` of a successful answer. */
export type DataOf<Name extends EndpointName> = {
  [Status in keyof Replies<Name>]: Replies<Name>[Status] extends {
    readonly data: infer Schema extends z.ZodType;
  }
    ? z.output<Schema>
    : never;
}[keyof Replies<Name>];
