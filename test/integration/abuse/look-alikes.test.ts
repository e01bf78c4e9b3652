import type { SearchResult } from '../../../shared/contract/machine/record.ts';
import { makeBody, makePlainVehicle, today, uniqueNumber } from '../../env/api/bodies.ts';
import { requestToken } from '../../env/api/machine-client.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import {
  addStaffUser,
  makeBrowser,
  outcomeOf,
  STAFF_PASSWORD,
  signInAs,
} from '../../env/staff/staff.ts';
import { registerOn } from '../worker/registered-certificate.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

/** What reads like `A1` or like nothing. */
const LOOK_ALIKES = {
  'a Cyrillic А': '\u0410',
  'a Greek Α': '\u0391',
  'a dotless ı': '\u0131',
  'an Arabic digit': '\u0661',
  'an en dash': '\u2013',
  'a soft hyphen': '\u00ad',
  'a zero-width space': '\u200b',
  'a zero-width joiner': '\u200d',
  'a right-to-left mark': '\u200f',
  'an override of direction': '\u202e',
  'an accent of its own': 'A\u0335',
  'a variation selector': '\ufe0f',
  'a tag of the last plane': '\u{e0041}',
  'a control character': '\u0007',
  'two spaces in a row': '  ',
};

/** In full-width forms, which NFKC makes the same again. */
function wide(text: string | null | undefined): string {
  return (text ?? '').replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));
}

/** With a Cyrillic А or О where there was a Latin one. */
function lookAlike(text: string): string {
  return text.replaceAll('A', '\u0410').replaceAll('O', '\u041e');
}

describe('look-alike letters make no second identity (D7)', () => {
  it.each(Object.entries(LOOK_ALIKES))('in a number: %s', async (_name, text) => {
    const number = (prefix: string) => `${uniqueNumber(prefix)}${text}1`;
    const { errorCode, findings } = await stack.transmit(
      'alpha',
      makeBody({ policy: { policyNumber: number('P') }, certificate: { cocNumber: number('C') } }),
    );
    expect(errorCode).toBe('VALIDATION_FAILED');
    expect(findings.map(({ code, field, level }) => [code, field, level])).toEqual(
      expect.arrayContaining([
        ['INVALID_FORMAT', 'policy.policyNumber', 2],
        ['INVALID_FORMAT', 'certificate.cocNumber', 2],
      ]),
    );
  });

  it.each(Object.entries(LOOK_ALIKES).filter(([name]) => !/dash|soft|spaces/.test(name)))(
    'in an identifier: %s',
    async (_name, text) => {
      const vehicle = makePlainVehicle();
      const { errorCode, findings } = await stack.transmit(
        'alpha',
        makeBody({ vehicles: [{ ...vehicle, chassisNumber: `${vehicle.chassisNumber}${text}` }] }),
      );
      expect(errorCode).toBe('VALIDATION_FAILED');
      expect(findings.map(({ code, field }) => [code, field])).toContainEqual([
        'INVALID_FORMAT',
        'vehicles[0].chassisNumber',
      ]);
    },
  );

  it('full-width forms are the same number and the same vehicle', async () => {
    const vehicle = makePlainVehicle();
    const body = makeBody({ vehicles: [vehicle] });
    expect((await stack.transmit('alpha', body)).status).toBe(201);
    const { policyNumber } = body.policy;
    const { cocNumber } = body.certificate;
    const again = await stack.transmit(
      'alpha',
      makeBody({
        policy: { policyNumber: wide(policyNumber) },
        certificate: { cocNumber: wide(cocNumber) },
        vehicles: [vehicle],
      }),
    );
    expect(again.errorCode).toBe('DUPLICATE_TRANSMISSION');
    const renewed = makeBody({
      vehicles: [makePlainVehicle({ chassisNumber: wide(vehicle.chassisNumber) })],
    });
    expect((await stack.transmit('alpha', renewed)).errorCode).toBe('VEHICLE_ALREADY_INSURED');
  });

  it('a number with Ñ is one, however it is composed', async () => {
    const number = uniqueNumber('PIÑA ');
    const body = makeBody({ certificate: { cocNumber: number } });
    expect((await stack.transmit('alpha', body)).status).toBe(201);
    const apart = { ...body, externalTransactionId: uniqueNumber('EXT') };
    apart.certificate = { ...apart.certificate, cocNumber: number.normalize('NFD') };
    expect((await stack.transmit('alpha', apart)).errorCode).toBe('DUPLICATE_TRANSMISSION');
  });
});

describe('what looks like the number of a record', () => {
  it('finds it only when it is that number (D16)', async () => {
    const { body, registryReference } = await registerOn(stack, 'alpha', {
      certificate: { cocNumber: uniqueNumber('COC A') },
    });
    const found = async (cocNumber: string) => {
      const query = new URLSearchParams({ cocNumber }).toString();
      const { envelope } = await stack.get('alpha', `/ppai/policies/search?${query}`);
      const { items } = envelope.data as unknown as SearchResult;
      return items.map((item) => item.registryReference);
    };
    const number = body.certificate.cocNumber ?? '';
    expect(await found(wide(number))).toEqual([registryReference]);
    expect(await found(number.replace(' ', '\u00a0'))).toEqual([registryReference]);
    expect(await found(lookAlike(number))).toEqual([]);
    expect(await found(`${number}\u200d`)).toEqual([]);
  });

  it('cancels it only when it is that number (D15)', async () => {
    const { body, registryReference } = await registerOn(stack, 'alpha');
    const cancel = (of: (number: string) => string) =>
      stack.post('alpha', `/ppai/policies/${registryReference}/cancellation`, {
        externalTransactionId: uniqueNumber('CANCEL'),
        policyNumber: of(body.policy.policyNumber ?? ''),
        cocNumber: of(body.certificate.cocNumber ?? ''),
        cancellationEffectiveDate: today(),
        reasonCode: 'OTHER',
        reasonText: 'Sold',
      });
    expect(outcomeOf(await cancel(lookAlike))).toEqual({ status: 422, code: 'RECORD_MISMATCH' });
    expect(outcomeOf(await cancel((number) => `${number}\u00ad`))).toEqual({
      status: 422,
      code: 'RECORD_MISMATCH',
    });
    expect((await cancel(wide)).status).toBe(200);
  });

  it('in an amendment is another number, and a wide one is no change (D14)', async () => {
    const { body, registryReference } = await registerOn(stack, 'alpha');
    const amend = (policyNumber: string) =>
      stack.post('alpha', `/ppai/policies/${registryReference}/amendments`, {
        externalTransactionId: uniqueNumber('AMEND'),
        reason: 'Asked',
        changes: { policy: { policyNumber, remarks: 'seen' } },
      });
    const number = body.policy.policyNumber ?? '';
    expect(outcomeOf(await amend(lookAlike(number)))).toEqual({
      status: 422,
      code: 'IMMUTABLE_FIELD',
    });
    expect((await amend(wide(number))).status).toBe(200);
  });
});

describe('no other identity has a second spelling that looks the same', () => {
  it('an external transaction id is ASCII, and nothing else is recorded', async () => {
    const plain = uniqueNumber('EXT-AO');
    for (const externalTransactionId of [
      lookAlike(plain),
      `${plain}\u200b`,
      `${plain}\n`,
      ` ${plain}`,
      wide(plain),
    ]) {
      const answer = await stack.post(
        'alpha',
        '/ppai/policies',
        makeBody({ externalTransactionId }),
      );
      expect(outcomeOf(answer)).toEqual({ status: 422, code: 'VALIDATION_FAILED' });
      expect(answer.envelope.data).toBeNull();
      expect(answer.envelope.error?.details?.map(({ field }) => field)).toEqual([
        'externalTransactionId',
      ]);
    }
    const { db } = stack.api.context;
    expect(
      await db.transmission.count({ where: { externalTransactionId: { contains: '-AO' } } }),
    ).toBe(0);
  });

  it('an organization is named by its code, in plain or full-width letters', async () => {
    const insurer = (issuingInsurerCode: string, poolCode?: string) =>
      stack.transmit(
        'alpha',
        makeBody({ issuingInsurerCode, ...(poolCode === undefined ? {} : { poolCode }) }),
      );
    const codes = async (sent: ReturnType<typeof insurer>) =>
      (await sent).findings
        .filter(({ severity }) => severity === 'ERROR')
        .map(({ code, field }) => `${code} ${field}`);
    expect(await codes(insurer(lookAlike('INS-ALPHA')))).toEqual([
      'UNKNOWN_INSURER issuingInsurerCode',
    ]);
    expect(await codes(insurer('ins-alpha'))).toEqual(['UNKNOWN_INSURER issuingInsurerCode']);
    expect(await codes(insurer('INS-ALPHA', lookAlike('POOL-NORTH')))).toEqual([
      'POOL_MEMBERSHIP_NOT_FOUND poolCode',
    ]);
    expect((await insurer(wide('INS-ALPHA'), wide('POOL-NORTH'))).status).toBe(201);
  });

  it('no code of an organization or pool is issued that looks like another', async () => {
    const administrator = await signInAs(stack, 'ADMINISTRATOR');
    for (const code of [
      lookAlike('INS-ALPHA'),
      wide('INS-ALPHA'),
      'INS-ALPHA\u200d',
      'ins-alpha',
    ]) {
      const made = await administrator.post('/admin/v1/organizations', {
        code,
        name: 'Alpha Insurance',
        type: 'INSURANCE_COMPANY',
      });
      expect(outcomeOf(made)).toEqual({ status: 422, code: 'VALIDATION_FAILED' });
    }
  });

  it('a client id is its bytes', async () => {
    const { clientId, clientSecret } = stack.client('alpha');
    for (const other of [
      wide(clientId),
      clientId.toUpperCase(),
      `${clientId} `,
      `${clientId}\u200d`,
    ]) {
      if (other === clientId) continue;
      const answer = await requestToken(stack, { clientId: other, clientSecret });
      expect(outcomeOf(answer)).toEqual({ status: 401, code: 'INVALID_CREDENTIALS' });
    }
  });

  it('an e-mail address of the staff has one user, whatever its case and width', async () => {
    const administrator = await signInAs(stack, 'ADMINISTRATOR');
    const email = 'anna.otto@staff.example';
    await addStaffUser(stack, 'AUDITOR', email);
    const create = (other: string) =>
      administrator.post('/admin/v1/users', { email: other, role: 'ADMINISTRATOR' });
    expect(outcomeOf(await create('Anna.OTTO@Staff.example'))).toEqual({
      status: 409,
      code: 'CONFLICT',
    });
    for (const other of [
      '\u0430nna.otto@staff.example',
      'anna.\u043etto@staff.example',
      'anna.otto@st\u0430ff.example',
      'anna.o\u200dtto@staff.example',
      wide(email),
      'ann\u0131.otto@staff.example',
      '\u212aanna.otto@staff.example',
    ]) {
      expect(outcomeOf(await create(other))).toEqual({ status: 422, code: 'VALIDATION_FAILED' });
    }
    const signIn = (address: string, password = STAFF_PASSWORD) =>
      makeBrowser(stack).post('/auth/v1/login', { email: address, password });
    for (const same of [email.toUpperCase(), wide(email), ` ${email}`]) {
      expect((await signIn(same)).status).toBe(200);
    }
    expect(outcomeOf(await signIn('\u0430nna.otto@staff.example'))).toEqual({
      status: 401,
      code: 'INVALID_CREDENTIALS',
    });
  });

  it('the spellings of one address share its five attempts', async () => {
    const email = 'otto.anna@staff.example';
    await addStaffUser(stack, 'AUDITOR', email);
    const spellings = [
      email,
      email.toUpperCase(),
      wide(email),
      `${email} `,
      wide(email.toUpperCase()),
    ];
    for (const spelling of spellings) {
      const answer = await makeBrowser(stack).post('/auth/v1/login', {
        email: spelling,
        password: 'wrong',
      });
      expect(outcomeOf(answer)).toEqual({ status: 401, code: 'INVALID_CREDENTIALS' });
    }
    const right = { email, password: STAFF_PASSWORD };
    expect(outcomeOf(await makeBrowser(stack).post('/auth/v1/login', right))).toEqual({
      status: 401,
      code: 'ACCOUNT_LOCKED',
    });
  });
});
