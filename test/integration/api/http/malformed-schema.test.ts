import { VEHICLES_MAX } from '../../../../shared/contract/machine/transmission.ts';
import { useProbeApi, VALID_BODY } from '../../../env/api/probe-api.ts';

const { probe, transmit, expectFindings } = useProbeApi();

describe('a body that breaks the schema', () => {
  it('is answered with every finding and its field, and with no value that was sent', async () => {
    const answer = await transmit({
      ...VALID_BODY,
      externalTransactionId: 'juan@example.org',
      policy: { policyNumber: 7, premiumAmount: '100', remarks: 'r'.repeat(1_001) },
      certificate: null,
      operator: { ...VALID_BODY.operator, contactEmail: ['juan@example.org'] },
      vehicles: [{}, { plateNumber: 'P'.repeat(17), yearModel: 2020.5 }, 'juan@example.org'],
    });
    expectFindings(answer, [
      'externalTransactionId',
      'policy.policyNumber',
      'policy.premiumAmount',
      'policy.remarks',
      'certificate',
      'operator.contactEmail',
      'vehicles[1].plateNumber',
      'vehicles[1].yearModel',
      'vehicles[2]',
    ]);
    expect(answer.envelope.error?.details?.map(({ message }) => message)).toEqual([
      'Expected 8 to 100 letters, digits, dots, underscores, colons or hyphens.',
      'Expected a string.',
      'Expected a number.',
      'At most 1000 characters.',
      'Expected an object.',
      'Expected a string.',
      'At most 16 characters.',
      'Expected a whole number.',
      'Expected an object.',
    ]);
  });

  it.each([
    ['externalTransactionId', { ...VALID_BODY, externalTransactionId: 'short' }],
    ['externalTransactionId', { ...VALID_BODY, externalTransactionId: 'x'.repeat(101) }],
    ['externalTransactionId', { ...VALID_BODY, externalTransactionId: 'with a space' }],
    ['externalTransactionId', { ...VALID_BODY, externalTransactionId: null }],
    ['issuingInsurerCode', { ...VALID_BODY, issuingInsurerCode: 'x'.repeat(33) }],
    ['poolCode', { ...VALID_BODY, poolCode: true }],
    ['vehicles', { ...VALID_BODY, vehicles: {} }],
    ['vehicles', { ...VALID_BODY, vehicles: null }],
  ])('is refused for %s', async (field, body) => {
    expectFindings(await transmit(body), [field]);
  });

  it('is refused with 501 vehicles, and accepted with 500', async () => {
    const vehicles = Array.from({ length: VEHICLES_MAX + 1 }, () => ({}));
    expectFindings(await transmit({ ...VALID_BODY, vehicles }), ['vehicles']);
    expect((await transmit({ ...VALID_BODY, vehicles: vehicles.slice(1) })).status).toBe(200);
  });

  it('gets at most 500 findings', async () => {
    const vehicles = Array.from({ length: VEHICLES_MAX }, () => ({ plateNumber: 1, vin: 1 }));
    expect((await transmit({ ...VALID_BODY, vehicles })).envelope.error?.details).toHaveLength(500);
  });

  it('gets a finding for each missing member', async () => {
    expectFindings(await transmit({}), [
      'externalTransactionId',
      'policy',
      'certificate',
      'operator',
      'vehicles',
    ]);
  });
});

describe('unknown members', () => {
  it('are removed from the body and listed by path; the JSON as sent keeps them', async () => {
    const body = {
      ...VALID_BODY,
      nickname: 'x',
      operator: {
        ...VALID_BODY.operator,
        nickname: 'x',
        'name with space': 1,
        'juan@example.org': 1,
      },
      vehicles: [
        { plateNumber: 'A1' },
        {},
        JSON.parse('{"colour":"red","constructor":1,"toString":2}'),
      ],
    };
    expect((await transmit(body)).status).toBe(200);
    const [call] = probe.seen();
    expect(call?.unknownFields).toEqual([
      'operator.nickname',
      'operator.(unprintable)',
      'operator.(unprintable)',
      'vehicles[2].colour',
      'vehicles[2].constructor',
      'vehicles[2].toString',
      'nickname',
    ]);
    const known = { ...VALID_BODY, vehicles: [{ plateNumber: 'A1' }, {}, {}] };
    expect(call?.body).toEqual(known);
    expect(call?.rawJson).toEqual(body);
  });

  it('are listed up to a limit of 100', async () => {
    const more = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`more${index}`, 1]));
    expect((await transmit({ ...VALID_BODY, ...more })).status).toBe(200);
    expect(probe.seen()[0]?.unknownFields).toHaveLength(100);
  });
});
