import { SCOPES, type Scope } from '../../../shared/contract/enums.ts';
import type { Acknowledgment } from '../../../shared/contract/machine/acknowledgment.ts';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import type { RecordDetail } from '../../../shared/contract/machine/record.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import type { Db } from '../../../shared/db/prisma.ts';
import { type MovableClock, makeMovableClock } from '../../../shared/platform/clock.ts';
import type { ServiceConfig } from '../../../shared/platform/config/config.ts';
import type { Keyring } from '../../../shared/platform/secrets/sealing.ts';
import { issueAccessToken } from '../../../shared/store/access/access-tokens.ts';
import type { Viewer } from '../../../shared/store/intake/transmissions.ts';
import { checkAnswer } from '../../pure/contract/answer-matcher.ts';
import { type BodyChanges, makeBody, uniqueNumber } from '../api/bodies.ts';
import type { SignedRequest, TestAnswer } from '../api/signed-request.ts';
import { startStack } from '../api/stack.ts';

/** The registry in one process, with one clock for API and worker. */
export interface RecordWorld {
  readonly clock: MovableClock;
  readonly config: ServiceConfig;
  /** Connects as the role of the service. */
  readonly db: Db;
  /** Connects as the owner of the tables. */
  readonly ownerDb: Db;
  readonly keyring: Keyring;
  /** Signs and sends; throws when the answer violates the OpenAPI document or contains personal data. */
  send(client: string, request: SignedRequest): Promise<TestAnswer>;
  get(client: string, path: string): Promise<TestAnswer>;
  /** Transmits a certificate; throws when it is not registered. */
  register(client: string, body: TransmissionBody): Promise<Registered>;
  /** Amends a record with a new id; throws when the amendment is refused. */
  amend(client: string, registryReference: string, changes: object): Promise<Acknowledgment>;
  /** Cancels a record as of `date`; throws when the cancellation is refused. */
  cancel(client: string, record: Registered, date: string): Promise<Acknowledgment>;
  /** The viewer of an organization. */
  viewer(organizationCode: string): Promise<Viewer>;
  stop(): Promise<void>;
}

export interface Registered {
  readonly registryReference: string;
  readonly transmissionReference: string;
  readonly body: TransmissionBody;
}

/** Personal data of the operator of every certificate here, which no answer may contain (D22). */
const PERSONAL = ['123-456-789', 'maria.santos', '917 555', '917555'] as const;

/**
 * The clock starts at `start`, by default 10:00 in Manila, and stays there. The demonstration client `verifier` belongs to the
 * regulator and `alpha-read-only` to the pool POOL-NORTH; both have all scopes.
 */
export async function startRecordWorld(
  start = new Date('2026-10-15T02:00:00Z'),
  environment: NodeJS.ProcessEnv = {},
): Promise<RecordWorld> {
  const clock = makeMovableClock(start);
  const stack = await startStack({ clock, environment });
  const { db, keyring } = stack.api.context;
  await db.$executeRaw`
    UPDATE api_clients SET scopes = ${[...SCOPES]},
      organization_id = (SELECT id FROM organizations
        WHERE code = CASE api_clients.name WHEN 'verifier' THEN 'REG' ELSE 'POOL-NORTH' END)
    WHERE name IN ('verifier', 'alpha-read-only')`;

  const send: RecordWorld['send'] = async (client, request) => {
    const token = await issueToken(db, stack.client(client).clientId, clock.now());
    const answer = await stack.send(client, { ...request, token });
    requireConforming(request, answer);
    return answer;
  };
  const submit = async (client: string, path: string, body: object, expected: number) => {
    const answer = await send(client, { path, body });
    if (answer.status !== expected) throw new Error(`${path} answered ${answer.text}`);
    return answer.envelope.data as unknown as Acknowledgment;
  };
  return {
    clock,
    config: stack.config,
    db,
    ownerDb: stack.ownerDb,
    keyring,
    send,
    get: (client, path) => send(client, { path }),
    register: async (client, body) => {
      const made = await submit(client, '/ppai/policies', body, 201);
      const { registryReference, transmissionReference } = made;
      return { registryReference: registryReference ?? '', transmissionReference, body };
    },
    amend: (client, registryReference, changes) => {
      const body = {
        externalTransactionId: uniqueNumber('AMEND'),
        reason: 'The operator asked for it',
        changes,
      };
      return submit(client, `/ppai/policies/${registryReference}/amendments`, body, 200);
    },
    cancel: (client, { registryReference, body }, date) => {
      const request = {
        externalTransactionId: uniqueNumber('CANCEL'),
        policyNumber: body.policy.policyNumber,
        cocNumber: body.certificate.cocNumber,
        cancellationEffectiveDate: date,
        reasonCode: 'OPERATOR_REQUEST',
        reasonText: 'Sold',
        supportingReference: 'LETTER-7',
      };
      return submit(client, `/ppai/policies/${registryReference}/cancellation`, request, 200);
    },
    viewer: async (code) => {
      const { id, type } = await db.organization.findUniqueOrThrow({ where: { code } });
      return { organizationId: id, organizationCode: code, isRegulator: type === 'REGULATOR' };
    },
    stop: () => stack.stop(),
  };
}

/** A certificate from 1 October 2026 to 30 September 2027, issued on 1 September, with `changes`. */
export function recordBody(changes: BodyChanges = {}): TransmissionBody {
  return makeBody({
    ...changes,
    policy: { issuanceDate: '2026-09-01', ...changes.policy },
    certificate: {
      effectiveDate: '2026-10-01',
      expirationDate: '2027-09-30',
      ...changes.certificate,
    },
  });
}

/** Issues a new token each time, because an earlier one may have expired when the clock moved. */
export async function issueToken(db: Db, clientId: string, now: Date): Promise<string> {
  const { id, version, scopes } = await db.apiClient.findUniqueOrThrow({ where: { clientId } });
  const grant = { apiClientId: id, clientVersion: version, scopes: scopes as Scope[], now };
  return (await issueAccessToken(db, grant)) ?? '';
}

function requireConforming({ path, method, body }: SignedRequest, answer: TestAnswer): void {
  const problems = checkAnswer({
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    path: `${API_BASE}${path}`,
    status: answer.status,
    headers: answer.headers,
    body: answer.envelope,
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const leaked = PERSONAL.filter((value) => answer.text.includes(value));
  if (leaked.length > 0) throw new Error(`the answer contains personal data: ${leaked.join(', ')}`);
}

/** Reads a record as a demonstration client. */
export async function readRecordOf(
  world: RecordWorld,
  client: string,
  { registryReference }: Registered,
): Promise<RecordDetail> {
  const answer = await world.get(client, `/ppai/policies/${registryReference}`);
  expect(answer.status).toBe(200);
  return answer.envelope.data as unknown as RecordDetail;
}

/** INS-ALPHA and the operator's masked personal data in a record. */
export const ALPHA = {
  id: expect.any(String),
  code: 'INS-ALPHA',
  name: 'Alpha Insurance',
  type: 'INSURANCE_COMPANY',
};
export const MASKED = {
  tinMasked: '************000',
  contactEmailMasked: 'm***@example.org',
  contactPhoneMasked: '********0142',
};
