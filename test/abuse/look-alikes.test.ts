import { makeBody, makePlainVehicle, uniqueNumber } from '../env/bodies.ts';
import { type Stack, startStack } from '../env/stack.ts';

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
    const wide = (text: string | null | undefined) =>
      (text ?? '').replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));
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
