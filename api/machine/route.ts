import type { Request, Response, Router } from 'express';
import {
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
} from '../../shared/contract/machine/endpoints.ts';
import { signedRequestRefused, tokenRequestRefused } from '../../shared/platform/events.ts';
import { requireAddress } from '../auth/caller-address.ts';
import { authenticateCredentials } from '../auth/machine/authenticate-credentials.ts';
import { authenticateSubmitter } from '../auth/machine/authenticate-submitter.ts';
import type { Submitter } from '../auth/machine/submitter.ts';
import { notingRefusal } from '../auth/note-refusal.ts';
import type { Quota } from '../auth/rate-limit.ts';
import type { ApiContext } from '../context.ts';
import type { ReadJson } from '../http/body/read-json.ts';
import { requireJsonBody } from '../http/body/read-json-body.ts';
import { allowCompression } from '../http/compress.ts';
import { type Preference, readPreference } from '../http/prefer.ts';
import { requestContextOf } from '../http/request-context.ts';
import { sendAnswer } from '../http/respond.ts';
import {
  type Checked,
  checkMembers,
  checkQuery,
  findingsOfAll,
  type Members,
  makeSchemaError,
} from '../http/schema/check-schema.ts';
import { readParams } from '../http/schema/read-params.ts';
import { readQuery } from '../http/schema/read-query.ts';
import type { HandledName, Handlers, MachineRequest } from './request.ts';
import { answerInScenario, checkScenario } from './sandbox/scenario.ts';

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
    const answer = async () => {
      const parsed = await readRequest(context, name, request, response);
      return answerInScenario(parsed, () => handle(context, parsed));
    };
    const isToken = endpoint.authentication === 'credentials';
    if (!isToken) allowCompression(response);
    await sendAnswer(
      response,
      await (isToken ? notingRefusal(context, response, tokenRequestRefused, answer) : answer()),
    );
  });
}

/** Authenticates the caller, then parses the request. @throws {AppError} of an authentication step, or VALIDATION_FAILED */
async function readRequest<Name extends HandledName>(
  context: ApiContext,
  name: Name,
  request: Request,
  response: Response,
): Promise<MachineRequest<Name>> {
  const endpoint: Endpoint = ENDPOINTS[name];
  const requestContext = requestContextOf(response);
  const { requestId, logger, signal } = requestContext;
  const { submitter, quota, json } = await authenticateCaller(context, endpoint, request, response);
  const params = readParams(endpoint.params, request.params);
  const query = checkQuery(endpoint.query, readQuery(request.originalUrl));
  const members = checkBody(endpoint, json);
  const scenario = checkScenario(context.config, endpoint, request);
  const findings = findingsOfAll(query, members, scenario);
  if (findings.length > 0) throw makeSchemaError(findings);
  const parsed = {
    name,
    requestId,
    params,
    query: query.value,
    rawJson: json?.value,
    ...members.value,
    scenario: scenario.value,
    prefer: endpoint.prefer ? readPreference(request.get('prefer')) : NO_PREFERENCE,
    submitter,
    quota,
    address: requireAddress(requestContext),
    logger: submitter === undefined ? logger : logger.child({ clientId: submitter.clientId }),
    signal,
  };
  // The table gave both the schemas that ran and the types of their results.
  return parsed as unknown as MachineRequest<Name>;
}

function checkBody({ body }: Endpoint, json: ReadJson | undefined): Checked<Members> {
  if (body === undefined) return { value: NO_MEMBERS };
  return checkMembers(body, json?.value, json?.inexactNumbers);
}

const NO_MEMBERS: Members = { body: undefined, unknownFields: [] };
const NO_PREFERENCE: Preference = { respondAsync: false, waitSeconds: undefined };

interface Caller {
  readonly submitter: Submitter | undefined;
  readonly quota: Quota | undefined;
  /** Undefined for an endpoint without a body. */
  readonly json: ReadJson | undefined;
}

async function authenticateCaller(
  context: ApiContext,
  { authentication, scope, body: schema }: Endpoint,
  request: Request,
  response: Response,
): Promise<Caller> {
  if (authentication === 'credentials') {
    const value = await authenticateCredentials(context, request, response);
    return { submitter: undefined, quota: undefined, json: { value, inexactNumbers: [] } };
  }
  const { submitter, quota, body } = await notingRefusal(
    context,
    response,
    signedRequestRefused,
    () => authenticateSubmitter(context, request, response, scope),
  );
  const json = schema === undefined ? undefined : requireJsonBody(request, body);
  return { submitter, quota, json };
}
