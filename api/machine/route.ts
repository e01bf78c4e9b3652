import type { Request, Response, Router } from 'express';
import type { z } from 'zod';
import {
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
} from '../../shared/contract/machine/endpoints.ts';
import { signedRequestRefused, tokenRequestRefused } from '../../shared/platform/events.ts';
import type { Logger } from '../../shared/platform/logger.ts';
import { requireAddress } from '../auth/caller-address.ts';
import { authenticateCredentials } from '../auth/machine/authenticate-credentials.ts';
import { authenticateSubmitter } from '../auth/machine/authenticate-submitter.ts';
import type { Submitter } from '../auth/machine/submitter.ts';
import { notingRefusal } from '../auth/note-refusal.ts';
import type { ApiContext } from '../context.ts';
import type { JsonObject, ReadJson } from '../http/body/read-json.ts';
import { requireJsonBody } from '../http/body/read-json-body.ts';
import { type Preference, readPreference } from '../http/prefer.ts';
import { requestContextOf } from '../http/request-context.ts';
import { type Answer, sendAnswer } from '../http/respond.ts';
import {
  type Checked,
  checkMembers,
  checkQuery,
  findingsOfAll,
  type Members,
  makeSchemaError,
} from '../http/schema/check-schema.ts';
import type { Parsed } from '../http/schema/parsed.ts';
import { readParams } from '../http/schema/read-params.ts';
import { readQuery } from '../http/schema/read-query.ts';

type Table = typeof ENDPOINTS;

/** The app mounts public endpoints itself: they have no envelope and need no authentication. */
export type HandledName = {
  [Name in EndpointName]: Table[Name]['authentication'] extends 'public' ? never : Name;
}[EndpointName];

/** A request that passed authentication and the schemas. */
export interface MachineRequest<Name extends HandledName> {
  readonly name: Name;
  readonly requestId: string;
  readonly params: Parsed<Table[Name], 'params'>;
  readonly query: Parsed<Table[Name], 'query'>;
  /** Known members only. */
  readonly body: Parsed<Table[Name], 'body'>;
  /** The JSON exactly as sent, for its RFC 8785 hash (D5). Undefined where there is no body. */
  readonly rawJson: Table[Name] extends { readonly body: z.ZodType } ? JsonObject : undefined;
  /** Paths of members the schema doesn't know, such as `vehicles[2].colour` (D6). */
  readonly unknownFields: readonly string[];
  readonly prefer: Preference;
  /** Undefined only where credentials come instead of a signature. */
  readonly submitter: Table[Name]['authentication'] extends 'signed' ? Submitter : undefined;
  /** The caller's (D19). */
  readonly address: string;
  readonly logger: Logger;
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal;
}

/** One handler an endpoint; a missing one doesn't compile. */
export type Handlers = {
  readonly [Name in HandledName]: (
    context: ApiContext,
    request: MachineRequest<Name>,
  ) => Promise<Answer>;
};

/** Mounts the table in its own order on a router that sits at API_BASE. */
export function mountEndpoints(router: Router, context: ApiContext, handlers: Handlers): void {
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    if (isHandled(name)) mountEndpoint(router, context, handlers, name);
  }
}

function isHandled(name: EndpointName): name is HandledName {
  return ENDPOINTS[name].authentication !== 'public';
}

function mountEndpoint<Name extends HandledName>(
  router: Router,
  context: ApiContext,
  handlers: Handlers,
  name: Name,
): void {
  const endpoint: Endpoint = ENDPOINTS[name];
  const handle: Handlers[Name] = handlers[name];
  const pattern = endpoint.path.replace(/\{(\w+)\}/g, ':$1');
  router[endpoint.method === 'GET' ? 'get' : 'post'](pattern, async (request, response) => {
    const answer = async () =>
      handle(context, await admit(context, name, endpoint, request, response));
    const isToken = endpoint.scope === null;
    sendAnswer(
      response,
      await (isToken ? notingRefusal(context, response, tokenRequestRefused, answer) : answer()),
    );
  });
}

async function admit<Name extends HandledName>(
  context: ApiContext,
  name: Name,
  endpoint: Endpoint,
  request: Request,
  response: Response,
): Promise<MachineRequest<Name>> {
  const requestContext = requestContextOf(response);
  const { requestId, logger, signal } = requestContext;
  const { submitter, json } = await authenticateCaller(context, endpoint, request, response);
  const params = readParams(endpoint.params, request.params);
  const query = checkQuery(endpoint.query, readQuery(request.originalUrl));
  const members = checkBody(endpoint, json);
  const findings = findingsOfAll(query, members);
  if (findings.length > 0) throw makeSchemaError(findings);
  const admitted = {
    name,
    requestId,
    params,
    query: query.value,
    rawJson: json?.value,
    ...members.value,
    prefer: endpoint.prefer ? readPreference(request.get('prefer')) : NO_PREFERENCE,
    submitter,
    address: requireAddress(requestContext),
    logger: submitter === undefined ? logger : logger.child({ clientId: submitter.clientId }),
    signal,
  };
  // The table gave both the schemas that ran and the types that name their results.
  return admitted as unknown as MachineRequest<Name>;
}

function checkBody({ body }: Endpoint, json: ReadJson | undefined): Checked<Members> {
  if (body === undefined) return { value: NO_MEMBERS };
  return checkMembers(body, json?.value, json?.inexactNumbers);
}

const NO_MEMBERS: Members = { body: undefined, unknownFields: [] };
const NO_PREFERENCE: Preference = { respondAsync: false, waitSeconds: undefined };

interface Caller {
  readonly submitter: Submitter | undefined;
  /** Undefined where there is no body. */
  readonly json: ReadJson | undefined;
}

async function authenticateCaller(
  context: ApiContext,
  { scope, body: schema }: Endpoint,
  request: Request,
  response: Response,
): Promise<Caller> {
  if (scope === null) {
    const value = await authenticateCredentials(context, request, response);
    return { submitter: undefined, json: { value, inexactNumbers: [] } };
  }
  const { submitter, body } = await notingRefusal(context, response, signedRequestRefused, () =>
    authenticateSubmitter(context, request, response, scope),
  );
  return { submitter, json: schema === undefined ? undefined : requireJsonBody(request, body) };
}
