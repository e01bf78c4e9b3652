import type { z } from 'zod';
import type { ENDPOINTS, EndpointName } from '../../shared/contract/machine/endpoints.ts';
import type { Scenario } from '../../shared/contract/machine/sandbox/scenario.ts';
import type { Logger } from '../../shared/platform/logger.ts';
import type { Submitter } from '../auth/machine/submitter.ts';
import type { Quota } from '../auth/rate-limit.ts';
import type { ApiContext } from '../context.ts';
import type { JsonObject } from '../http/body/read-json.ts';
import type { Preference } from '../http/prefer.ts';
import type { Answer } from '../http/respond.ts';
import type { Parsed } from '../http/schema/parsed.ts';

type Table = typeof ENDPOINTS;

/** The app mounts public endpoints itself: they have no envelope and need no authentication. */
export type HandledName = {
  [Name in EndpointName]: Table[Name]['authentication'] extends 'public' ? never : Name;
}[EndpointName];

/** A request after authentication and the schemas. */
export interface MachineRequest<Name extends HandledName> {
  readonly name: Name;
  readonly requestId: string;
  readonly params: Parsed<Table[Name], 'params'>;
  readonly query: Parsed<Table[Name], 'query'>;
  /** Known members only. */
  readonly body: Parsed<Table[Name], 'body'>;
  /** The JSON exactly as sent, for its RFC 8785 hash (D5). Undefined for an endpoint without a body. */
  readonly rawJson: Table[Name] extends { readonly body: z.ZodType } ? JsonObject : undefined;
  /** Paths of members that the schema does not know, such as `vehicles[2].colour` (D6). */
  readonly unknownFields: readonly string[];
  readonly prefer: Preference;
  /** The scenario that the caller asks for; undefined outside the sandbox (D40). */
  readonly scenario: Scenario | undefined;
  /** Undefined for the endpoint that takes credentials instead of a signature. */
  readonly submitter: Table[Name]['authentication'] extends 'signed' ? Submitter : undefined;
  /** The rest of the client's quota; undefined like `submitter`. */
  readonly quota: Table[Name]['authentication'] extends 'signed' ? Quota : undefined;
  /** The address of the caller (D19). */
  readonly address: string;
  readonly logger: Logger;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** One handler per endpoint; a missing one does not compile. */
export type Handlers = {
  readonly [Name in HandledName]: (
    context: ApiContext,
    request: MachineRequest<Name>,
  ) => Promise<Answer>;
};
