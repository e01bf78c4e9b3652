import { randomBytes, randomInt } from 'node:crypto';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import {
  type BodyChanges,
  makeBody,
  makeVehicle,
  today,
  uniqueNumber,
} from '../../env/api/bodies.ts';
import type { SignedRequest, TestAnswer } from '../../env/api/signed-request.ts';
import type { Stack } from '../../env/api/stack.ts';
import type { Canaries } from '../../env/records/canary-forms.ts';
import {
  addStaffUser,
  makeBrowser,
  STAFF_PASSWORD,
  type StaffBrowser,
  signInAs,
} from '../../env/staff/staff.ts';

/** Letters only: the search takes the digits of a canary for one of its forms, and every canary shares these. */
const ID = [...randomBytes(10)].map((byte) => 'abcdefghijklmnop'.charAt(byte % 16)).join('');
const DIGITS = String(randomInt(10 ** 9, 10 ** 10));

/** Shown to nobody but masked; at rest sealed (D22). */
export const MASKED = {
  tin: `${DIGITS}-tin-000`,
  contactEmail: `ｃａｎａｒｙ.${ID}@example.org`,
  contactPhone: `+63 ${DIGITS.replace(/(\d{3})(\d{3})/, '$1 $2 ')}`,
} as const satisfies Canaries;

/** Shown in the record to those who may see it; at rest sealed. */
export const OPERATOR = {
  name: `Ｍａｒíａ Ñuñez ${ID}`,
  businessName: `"Ñuñez & Söhne" \\ ${ID}`,
  address: `12 Calle Peñafrancia ${ID}, Bulacán`,
  caseNumber: `CASE ${ID} ½`,
  cpcNumber: `CPC ${ID} №`,
  franchiseNumber: `FRANCHISE ${ID} ﬁ`,
} as const satisfies Canaries;

/** What somebody wrote into the record itself: shown with it, and in its table. */
export const WRITTEN = {
  remarks: `remarks on María ${ID}`,
  amendmentReason: `María ${ID} moved`,
  cancellationReason: `María ${ID} sold it`,
  supportingReference: `letter of María ${ID}`,
  reviewNotes: `María ${ID} called`,
} as const satisfies Canaries;

/** What has no place anywhere. */
export const STRAY = {
  unknownMember: `stray member ${ID}`,
  unknownName: `stray.${ID}@example.org`,
  brokenJson: `stray JSON ${ID}`,
  wrongType: `stray type ${ID}`,
  refusedEmail: `stray ${ID} at example.org`,
  header: `stray-header-${ID}@example.org`,
  query: `stray query ${ID}@example.org`,
  queryName: `stray.name.${ID}@example.org`,
  path: `stray-path-${ID}@example.org`,
  secret: `stray-secret-${ID}`,
  password: `stray password ${ID}`,
  signInEmail: `stray.sign.in.${ID}@example.org`,
} as const satisfies Canaries;

export const ALL: Canaries = { ...MASKED, ...OPERATOR, ...WRITTEN, ...STRAY };

export type Reader = 'owner' | 'stranger' | 'nobody' | 'auditor' | 'reviewer';

export interface Seen {
  readonly reader: Reader;
  readonly what: string;
  readonly answer: TestAnswer;
}

export interface Visit {
  /** Every answer so far. */
  readonly seen: readonly Seen[];
  readonly accepted: string;
  readonly cancelled: string;
  readonly transmissionReference: string;
  readonly auditor: StaffBrowser;
  readonly reviewer: StaffBrowser;
  readonly flagId: string;
  readonly statuses: () => ReadonlySet<number>;
  machine(reader: 'owner' | 'stranger', request: SignedRequest): Promise<TestAnswer>;
  staff(reader: 'auditor' | 'reviewer', path: string, body?: object): Promise<TestAnswer>;
}

const HEADERS = {
  'user-agent': STRAY.header,
  referer: `https://${STRAY.header}/`,
  cookie: `operator=${STRAY.header}`,
  // What the caller itself put there comes before the address that the proxy appends.
  'x-forwarded-for': `${STRAY.header}, 198.51.100.9`,
  'x-request-id': STRAY.header,
  'x-operator': STRAY.header,
  traceparent: STRAY.header,
};
const POLICIES = '/ppai/policies';

function canaryBody(changes: BodyChanges = {}) {
  return makeBody({
    ...changes,
    policy: { remarks: WRITTEN.remarks, ...changes.policy },
    operator: { ...OPERATOR, ...MASKED, ...changes.operator },
  });
}

/** Everything that one can do to the registry, with canaries wherever a caller can put something. */
export async function visit(stack: Stack): Promise<Visit> {
  const seen: Seen[] = [];
  const keep = (reader: Reader, what: string, answer: TestAnswer) => {
    seen.push({ reader, what, answer });
    return answer;
  };
  const machine: Visit['machine'] = async (reader, request) => {
    const client = reader === 'owner' ? 'alpha' : 'bravo';
    const headers = { ...HEADERS, ...request.headers };
    const what = `${request.body === undefined ? 'GET' : 'POST'} ${request.path}`;
    return keep(reader, what, await stack.send(client, { ...request, headers }));
  };
  const post = (path: string, body: object | string, prefer = 'wait=20') =>
    machine('owner', { path, body, headers: { prefer } });
  const raw = async (target: string, method = 'GET', body?: string, headers: object = {}) =>
    keep(
      'nobody',
      `${method} ${target}`,
      await stack.sendRaw({
        method,
        target,
        headers: { ...HEADERS, ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    );

  const sent = canaryBody({ vehicles: [makeVehicle()] });
  const first = await post(POLICIES, {
    ...sent,
    [STRAY.unknownName]: STRAY.unknownMember,
    operator: { ...sent.operator, contactPerson: STRAY.unknownMember, [STRAY.unknownName]: 1 },
  });
  const { registryReference, transmissionReference } = first.envelope.data as Record<
    string,
    string
  >;
  const [accepted = '', transmission = ''] = [registryReference, transmissionReference];
  await post(POLICIES, sent);
  await post(POLICIES, { ...sent, poolCode: 'POOL-NORTH' });
  await amend(post, accepted);
  const other = canaryBody();
  const cancelled = String((await post(POLICIES, other)).envelope.data?.['registryReference']);
  await post(`${POLICIES}/${cancelled}/cancellation`, {
    externalTransactionId: uniqueNumber('CANCEL'),
    policyNumber: other.policy.policyNumber,
    cocNumber: other.certificate.cocNumber,
    cancellationEffectiveDate: today(),
    reasonCode: 'OTHER',
    reasonText: WRITTEN.cancellationReason,
    supportingReference: WRITTEN.supportingReference,
    contactPerson: STRAY.unknownMember,
  });

  // Rejected by the levels, refused by the schema, and no JSON at all.
  await post(POLICIES, canaryBody({ issuingInsurerCode: 'INS-NOBODY' }));
  await post(POLICIES, canaryBody({ vehicles: sent.vehicles }));
  await post(POLICIES, canaryBody({ operator: { contactEmail: STRAY.refusedEmail } }));
  await post(POLICIES, { ...canaryBody(), operator: { ...OPERATOR, tin: [STRAY.wrongType] } });
  await post(POLICIES, { ...canaryBody(), operator: STRAY.wrongType, vehicles: STRAY.wrongType });
  await post(POLICIES, { ...canaryBody(), externalTransactionId: STRAY.wrongType });
  await post(POLICIES, `{"operator": {"name": ${STRAY.brokenJson}`);
  await post(POLICIES, STRAY.brokenJson);

  const query = (name: string, value: string) => new URLSearchParams({ [name]: value }).toString();
  for (const path of [
    `${POLICIES}/search?${query('policyNumber', STRAY.query)}`,
    `${POLICIES}/search?${query('plateNumber', STRAY.query)}&${query(STRAY.queryName, STRAY.query)}`,
    `${POLICIES}/search?${query('page', STRAY.query)}`,
    `${POLICIES}/${encodeURIComponent(STRAY.path)}`,
    `/ppai/transmissions/${encodeURIComponent(STRAY.path)}`,
    `/ppai/vehicles/${encodeURIComponent(STRAY.path)}/coverage`,
    `/ppai/vehicles/${sent.vehicles[0]?.plateNumber}/coverage?${query('asOf', STRAY.query)}`,
    `/ppai/vehicles/${sent.vehicles[0]?.plateNumber}/coverage?${query(STRAY.queryName, STRAY.query)}`,
  ]) {
    await machine('owner', { path });
  }
  await raw(`${API_BASE}/${encodeURIComponent(STRAY.path)}?${query('q', STRAY.query)}`);
  await raw(`/${encodeURIComponent(STRAY.path)}`);
  await raw(`${POLICIES}?${query('q', STRAY.query)}`);
  await refuseTokens(stack, raw);
  await refuseSignIns(stack, keep);

  const [auditor, reviewer] = [await signInAs(stack, 'AUDITOR'), await signInAs(stack, 'REVIEWER')];
  const staff: Visit['staff'] = async (reader, path, body) => {
    const browser = reader === 'auditor' ? auditor : reviewer;
    const method = body === undefined ? 'GET' : 'POST';
    const { cookie: _theirs, 'x-forwarded-for': _address, ...headers } = HEADERS;
    const request = { path, method, headers, ...(body === undefined ? {} : { body }) };
    return keep(reader, `${method} ${path}`, await browser.send(request));
  };
  const flags = await staff('reviewer', '/admin/v1/flags?status=OPEN');
  const [flag] = (flags.envelope.data as unknown as { items: { id: string }[] }).items;
  const flagId = flag?.id ?? '';
  const clear = `/admin/v1/flags/${flagId}/clear`;
  await staff('reviewer', clear, { notes: [STRAY.wrongType], [STRAY.unknownName]: 1 });
  await staff('reviewer', clear, { notes: WRITTEN.reviewNotes });
  await staff('reviewer', clear, { notes: WRITTEN.reviewNotes });
  await staff('auditor', `/admin/v1/records?${query('policyNumber', STRAY.query)}`);
  await staff('auditor', `/admin/v1/users?${query('email', STRAY.query)}`);
  await staff('auditor', `/admin/v1/users?${query(STRAY.queryName, STRAY.query)}`);
  return {
    seen,
    accepted,
    cancelled,
    transmissionReference: transmission,
    auditor,
    reviewer,
    flagId,
    statuses: () => new Set(seen.map(({ answer }) => answer.status)),
    machine,
    staff,
  };
}

async function amend(
  post: (path: string, body: object) => Promise<TestAnswer>,
  registryReference: string,
): Promise<void> {
  for (const operator of [
    { address: `${OPERATOR.address} 2`, tin: MASKED.tin, contactPerson: STRAY.unknownMember },
    { contactEmail: STRAY.refusedEmail },
  ]) {
    await post(`${POLICIES}/${registryReference}/amendments`, {
      externalTransactionId: uniqueNumber('AMEND'),
      reason: WRITTEN.amendmentReason,
      changes: { operator, [STRAY.unknownName]: STRAY.unknownMember },
    });
  }
}

async function refuseTokens(
  stack: Stack,
  raw: (target: string, method: string, body: string, headers: object) => Promise<TestAnswer>,
): Promise<void> {
  const { clientId } = stack.client('alpha');
  const token = `${API_BASE}/oauth/token`;
  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const grant = { grant_type: 'client_credentials', client_id: clientId };
  await raw(token, 'POST', JSON.stringify({ ...grant, client_secret: STRAY.secret }), json);
  const asForm = new URLSearchParams({ ...grant, client_secret: STRAY.secret }).toString();
  await raw(token, 'POST', `${asForm}&${STRAY.queryName}=1`, form);
  const basic = Buffer.from(`${STRAY.secret}:${STRAY.secret}`).toString('base64');
  const authorization = { ...form, authorization: `Basic ${basic}` };
  await raw(token, 'POST', 'grant_type=client_credentials', authorization);
  const bearer = { ...json, authorization: `Bearer ${STRAY.secret}` };
  await raw(`${API_BASE}${POLICIES}`, 'POST', JSON.stringify(canaryBody()), bearer);
}

async function refuseSignIns(
  stack: Stack,
  keep: (reader: Reader, what: string, answer: TestAnswer) => TestAnswer,
): Promise<void> {
  const { email } = await addStaffUser(stack, 'AUDITOR');
  for (const body of [
    { email: STRAY.signInEmail, password: STRAY.password },
    { email, password: STRAY.password },
    { email, password: STAFF_PASSWORD, [STRAY.unknownName]: STRAY.password },
    { email: [STRAY.signInEmail], password: STRAY.password },
  ]) {
    keep('nobody', 'POST login', await makeBrowser(stack).post('/auth/v1/login', body));
  }
  // The failure that locks is audited.
  for (let failures = 0; failures < 5; failures += 1) {
    const body = { email: STRAY.signInEmail, password: STRAY.password };
    keep('nobody', 'POST login', await makeBrowser(stack).post('/auth/v1/login', body));
  }
}
