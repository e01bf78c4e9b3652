import type { Request, Response, Router } from 'express';
import type { Page } from '../../shared/contract/machine/paging.ts';
import { STAFF_BODY_BYTES_MAX, type StaffEndpoint } from '../../shared/contract/staff/endpoint.ts';
import { STAFF_ENDPOINTS, type StaffEndpointName } from '../../shared/contract/staff/endpoints.ts';
import type { Logger } from '../../shared/platform/logger.ts';
import type { StaffChallenge, StaffSession } from '../../shared/store/staff/sign-in/sessions.ts';
import { requireAddress } from '../auth/caller-address.ts';
import { authenticateStaff, type Staff } from '../auth/staff/authenticate-staff.ts';
import type { StaffCookies } from '../auth/staff/cookies.ts';
import type { ApiContext } from '../context.ts';
import { readBody } from '../http/body/read-body.ts';
import { requireJsonBody } from '../http/body/read-json-body.ts';
import { readUpload } from '../http/body/read-upload.ts';
import { requestContextOf } from '../http/request-context.ts';
import { type Answer, sendAnswer } from '../http/respond.ts';
import {
  type Checked,
  checkExactly,
  checkQuery,
  findingsOfAll,
  makeSchemaError,
} from '../http/schema/check-schema.ts';
import type { Parsed } from '../http/schema/parsed.ts';
import { readParams } from '../http/schema/read-params.ts';
import { readQuery } from '../http/schema/read-query.ts';
import { type ListExport, sendCsv, wantsCsv } from './export.ts';

type Table = typeof STAFF_ENDPOINTS;

type OfAuthentication<
  Name extends StaffEndpointName,
  Authentication extends StaffEndpoint['authentication'],
  Value,
> = Table[Name]['authentication'] extends Authentication
  ? Value
  : Table[Name]['authentication'] extends 'challenge-or-session'
    ? Value | undefined
    : undefined;

/** A request that passed authentication and the schemas. */
export interface StaffRequest<Name extends StaffEndpointName> {
  readonly name: Name;
  readonly requestId: string;
  readonly params: Parsed<Table[Name], 'params'>;
  readonly query: Parsed<Table[Name], 'query'>;
  readonly body: Parsed<Table[Name], 'body'>;
  /** The chunks of a body that is not JSON. */
  readonly upload: Table[Name] extends { readonly upload: object }
    ? AsyncIterable<Buffer>
    : undefined;
  /** The user who acts. */
  readonly staff: OfAuthentication<Name, 'session', Staff>;
  readonly session: OfAuthentication<Name, 'session', StaffSession>;
  readonly challenge: OfAuthentication<Name, 'challenge', StaffChallenge>;
  readonly cookies: StaffCookies;
  /** The caller's network address (D19). */
  readonly address: string;
  readonly logger: Logger;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

export interface StaffAnswer extends Answer {
  /** Values of Set-Cookie. */
  readonly cookies?: readonly string[];
}

export function ok(data: object): StaffAnswer {
  return { status: 200, data };
}

/** `location` is where the new resource is read, if anywhere. */
export function created(data: object, location?: string): StaffAnswer {
  return { status: 201, data, ...(location !== undefined && { headers: { Location: location } }) };
}

/** A JSON document without an envelope. */
export class BareJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** One handler per endpoint; a missing one does not compile. */
export type StaffHandlers = {
  readonly [Name in StaffEndpointName]: (
    context: ApiContext,
    request: StaffRequest<Name>,
  ) => Promise<StaffAnswer | BareJson>;
};

/** The handlers of one noun's table of endpoints. */
export type HandlersOf<Endpoints extends Partial<Table>> = Pick<
  StaffHandlers,
  keyof Endpoints & StaffEndpointName
>;

/** Mounts the staff realm's table in its own order on a router that sits at the root. */
export function mountStaffEndpoints(
  router: Router,
  context: ApiContext,
  handlers: StaffHandlers,
): void {
  for (const name of Object.keys(STAFF_ENDPOINTS) as StaffEndpointName[]) {
    mountStaffEndpoint(router, context, handlers, name);
  }
}

const VERBS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

function mountStaffEndpoint<Name extends StaffEndpointName>(
  router: Router,
  context: ApiContext,
  handlers: StaffHandlers,
  name: Name,
): void {
  const endpoint: StaffEndpoint = STAFF_ENDPOINTS[name];
  const handle: StaffHandlers[Name] = handlers[name];
  const pattern = endpoint.path.replace(/\{(\w+)\}/g, ':$1');
  router[VERBS[endpoint.method]](pattern, async (request, response) => {
    const read = await readRequest(context, name, endpoint, request, response);
    if (endpoint.csv !== undefined && wantsCsv(request)) {
      await sendCsv(
        context,
        response,
        exportOf(context, { ...endpoint, csv: endpoint.csv }, read, handle),
      );
      return;
    }
    const answer = await handle(context, read);
    if (answer instanceof BareJson) {
      response.setHeader('Cache-Control', 'no-store');
      response.type('application/json').send(answer.text);
      return;
    }
    for (const cookie of answer.cookies ?? []) response.append('Set-Cookie', cookie);
    await sendAnswer(response, answer);
  });
}

/** The export of a list. Only endpoints with a session and a query of pages have columns. */
function exportOf<Name extends StaffEndpointName>(
  context: ApiContext,
  { path, csv: columns }: { readonly path: string; readonly csv: readonly string[] },
  read: StaffRequest<Name>,
  handle: StaffHandlers[Name],
): ListExport {
  const request = read as unknown as ListExport['request'];
  return {
    request,
    path,
    columns,
    readPage: async (query) => {
      const answer = await handle(context, { ...read, query: query as typeof read.query });
      return (answer as StaffAnswer).data as Page<unknown>;
    },
  };
}

async function readRequest<Name extends StaffEndpointName>(
  context: ApiContext,
  name: Name,
  endpoint: StaffEndpoint,
  request: Request,
  response: Response,
): Promise<StaffRequest<Name>> {
  const requestContext = requestContextOf(response);
  const { requestId, logger, signal } = requestContext;
  const address = requireAddress(requestContext);
  const caller = await authenticateStaff(context, endpoint, request);
  requestContext.staffId = caller.staff?.id;
  const params = readParams(endpoint.params, request.params);
  const query = checkQuery(endpoint.query, readQuery(request.originalUrl));
  const body = await checkStaffBody(endpoint, request);
  const findings = findingsOfAll(query, body);
  if (findings.length > 0) throw makeSchemaError(findings);
  const read = {
    name,
    requestId,
    ...caller,
    params,
    query: query.value,
    body: body.value,
    upload: endpoint.upload && readUpload(request, endpoint.upload),
    address,
    logger: caller.staff === undefined ? logger : logger.child({ staffId: caller.staff.id }),
    signal,
  };
  // The table of endpoints has both the schemas that ran and the types of their results.
  return read as unknown as StaffRequest<Name>;
}

async function checkStaffBody(
  { body: schema, isBodyOptional }: StaffEndpoint,
  request: Request,
): Promise<Checked<unknown>> {
  if (schema === undefined) return { value: undefined };
  const body = await readBody(request, STAFF_BODY_BYTES_MAX);
  if (isBodyOptional && body.length === 0) return checkExactly(schema, {});
  const read = requireJsonBody(request, body);
  return checkExactly(schema, read.value, read.inexactNumbers);
}
