import { type Stack, startStack } from '../../env/api/stack.ts';
import { type StaffBrowser, signInAs } from '../../env/staff/staff.ts';

let stack: Stack;
let admin: StaffBrowser;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
  admin = await signInAs(stack, 'ADMINISTRATOR');
});
afterAll(() => stack.stop());

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly body?: object | string;
}

async function findingsOf(request: Sent): Promise<unknown[][]> {
  const { status, envelope } = await admin.send(request);
  expect([status, envelope.error?.code]).toEqual([422, 'VALIDATION_FAILED']);
  return (envelope.error?.details ?? []).map(({ code, severity, field, message }) => {
    expect([severity, message]).toEqual(['ERROR', expect.stringMatching(SENTENCE)]);
    return [code, field, message];
  });
}

/** A plain sentence with a full stop, without the wording of a library. */
const SENTENCE = /^(?!.*(?:Invalid|Unrecognized|undefined|\/\^|<=|>=))[A-Z][^\n]*\.$/;
const ORGANIZATIONS = '/admin/v1/organizations';
const CLIENTS = '/admin/v1/clients';

const MOMENT = 'Expected a date and time with an offset or Z, such as 2026-01-31T08:00:00+08:00.';

describe('a message of the staff realm', () => {
  it.each<[string, Sent, unknown[][]]>([
    [
      'a moment',
      { path: '/admin/v1/audit?from=yesterday&to=2026-01-31' },
      [
        ['INVALID_FORMAT', 'from', MOMENT],
        ['INVALID_FORMAT', 'to', MOMENT],
      ],
    ],
    [
      'a moment out of range',
      { path: '/admin/v1/audit?from=0000-01-01T00:00:00Z' },
      [['INVALID_DATE_RANGE', 'from', 'Must lie after 1900-01-01 and before 2999-12-31.']],
    ],
    [
      'a date',
      { path: `/admin/v1/pools/${UNKNOWN_ID}/memberships?on=2026-02-30` },
      [['INVALID_FORMAT', 'on', 'Expected a calendar date, YYYY-MM-DD.']],
    ],
    [
      'a date out of range',
      { path: `/admin/v1/pools/${UNKNOWN_ID}/memberships?on=9999-12-31` },
      [['INVALID_DATE_RANGE', 'on', 'Must be between 1900-01-01 and 2999-12-31.']],
    ],
    [
      'an id',
      { path: `${CLIENTS}?organizationId=7` },
      [['INVALID_FORMAT', 'organizationId', 'Expected a UUID.']],
    ],
    [
      'an address',
      { path: '/admin/v1/users', body: { email: 'nobody', role: 'AUDITOR' } },
      [['INVALID_FORMAT', 'email', 'Expected an e-mail address.']],
    ],
    [
      'a value outside its vocabulary',
      { path: '/admin/v1/users', body: { email: 'a@example.org', role: 'BOSS' } },
      [['INVALID_FORMAT', 'role', 'Expected one of ADMINISTRATOR, REVIEWER, AUDITOR.']],
    ],
    [
      'a code, a name and a type',
      { path: ORGANIZATIONS, body: { code: 'ins', name: ' ', type: 7 } },
      [
        [
          'INVALID_FORMAT',
          'code',
          'Expected upper-case letters and digits, with single hyphens between them.',
        ],
        ['INVALID_FORMAT', 'name', 'At least 1 character.'],
        [
          'INVALID_FORMAT',
          'type',
          'Expected one of REGULATOR, MANAGEMENT_COMPANY, INSURANCE_COMPANY.',
        ],
      ],
    ],
    [
      'networks, scopes and a number',
      {
        path: CLIENTS,
        body: {
          organizationId: UNKNOWN_ID,
          name: 'x',
          scopes: ['ppai:read', 'ppai:read'],
          ipAllowlist: ['somewhere'],
          rateLimitPerMinute: 0.5,
        },
      },
      [
        ['INVALID_FORMAT', 'scopes', 'Each may be given only once.'],
        ['INVALID_FORMAT', 'ipAllowlist[0]', expect.stringContaining('such as 203.0.113.0/24')],
        ['INVALID_FORMAT', 'rateLimitPerMinute', 'Expected a whole number.'],
      ],
    ],
    [
      'the values of a rule set',
      {
        path: '/admin/v1/rule-sets',
        body: { coverageTypes: ['gold'], maxCoverageDays: 0, flagNoMatch: 'yes', note: '\u200b' },
      },
      [
        ['INVALID_FORMAT', 'coverageTypes[0]', expect.stringContaining('upper-case')],
        ['INVALID_FORMAT', 'maxCoverageDays', 'At least 1.'],
        ['INVALID_FORMAT', 'flagNoMatch', 'Expected a boolean.'],
        ['INVALID_FORMAT', 'note', 'At least one visible character is needed.'],
      ],
    ],
    [
      'an empty list',
      { path: CLIENTS, body: { organizationId: UNKNOWN_ID, name: 'x', scopes: [] } },
      [['INVALID_FORMAT', 'scopes', 'At least 1 element.']],
    ],
    [
      'a page size',
      { path: `${ORGANIZATIONS}?limit=0x1` },
      [['INVALID_FORMAT', 'limit', 'Expected a whole number, in decimal digits.']],
    ],
  ])('says in plain words how to correct %s', async (_what, request, expected) => {
    expect(await findingsOf(request)).toEqual(expected);
  });

  it('about an unknown member hides no other finding', async () => {
    const body = { code: 'ins', name: 'a\u0007', type: 'REGULATOR', colour: 'red', more: [1] };
    const path = `${ORGANIZATIONS}?dryRun=true&colour=red`;
    expect((await findingsOf({ path, body })).map(([code, field]) => [code, field])).toEqual([
      ['UNKNOWN_FIELD', 'dryRun'],
      ['UNKNOWN_FIELD', 'colour'],
      ['INVALID_FORMAT', 'code'],
      ['INVALID_FORMAT', 'name'],
      ['UNKNOWN_FIELD', 'colour'],
      ['UNKNOWN_FIELD', 'more'],
    ]);
  });
});

describe('a body that staff send', () => {
  it('must have each member once', async () => {
    const body = '{"code":"INS-X","name":"A","type":"REGULATOR","na\\u006de":"B","code":"INS-Y"}';
    expect(await findingsOf({ path: ORGANIZATIONS, body })).toEqual([
      ['INVALID_FORMAT', 'name', 'This member is given more than once.'],
      ['INVALID_FORMAT', 'code', 'This member is given more than once.'],
    ]);
  });

  it('must have numbers that can be stored exactly', async () => {
    const body = '{"maxCoverageDays":400.00000000000000001,"expiringWithinDays":3e1}';
    expect(await findingsOf({ path: '/admin/v1/rule-sets', body })).toEqual([
      ['INVALID_FORMAT', 'maxCoverageDays', expect.stringContaining('too many digits')],
    ]);
  });

  it.each([
    ['a control character', 'Alpha\u0007'],
    ['a direction override', 'ahplA\u202e'],
    ['a line break', 'Alpha\nInsurance'],
    ['invisible characters only', '\u2060\u200b'],
    ['more characters after NFKC', '\ufdfa'.repeat(15)],
  ])('is refused for a name with %s', async (_what, name) => {
    const body = { code: 'INS-NEW', name, type: 'INSURANCE_COMPANY' };
    expect((await findingsOf({ path: ORGANIZATIONS, body })).map(([, field]) => field)).toEqual([
      'name',
    ]);
  });

  it('is stored in its normal form (D7)', async () => {
    const body = { code: 'INS-WIDE', name: ' \uff37ide \u00a0A\u0308', type: 'INSURANCE_COMPANY' };
    const { status, envelope } = await admin.post(ORGANIZATIONS, body);
    expect([status, envelope.data?.['name']]).toEqual([201, 'Wide  \u00c4']);
  });

  it('may have line breaks in a note', async () => {
    const { status, envelope } = await admin.post('/admin/v1/rule-sets', {
      note: 'First line\r\n\tsecond',
    });
    expect([status, envelope.data?.['note']]).toEqual([201, 'First line\r\n\tsecond']);
  });
});
