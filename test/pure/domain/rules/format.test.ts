import { checkFormat, checkNumbers } from '../../../../shared/domain/rules/format.ts';
import { type BodyChanges, makeVehicle } from '../../../env/api/bodies.ts';
import { makeFacts, makeSubmission, TODAY } from '../facts-and-submissions.ts';

function found(changes: BodyChanges, ruleSet: object = {}): string[] {
  const facts = makeFacts();
  return checkFormat(makeSubmission(changes), {
    ...facts,
    ruleSet: { ...facts.ruleSet, ...ruleSet },
  }).map(({ code, field, level, severity }) => `${level} ${severity} ${code} ${field}`);
}

function vehicle(changes: Parameters<typeof makeVehicle>[0]): BodyChanges {
  return { vehicles: [makeVehicle(changes)] };
}

const INVALID = '2 ERROR INVALID_FORMAT';

describe('level 2', () => {
  it('has no finding for a valid submission', () => {
    expect(found({})).toEqual([]);
  });

  it('leaves absent values to level 1', () => {
    expect(
      found({
        policy: { issuanceDate: null, coverageType: null },
        certificate: { effectiveDate: null, expirationDate: null },
        operator: { operatorType: null, region: null, contactEmail: null },
        vehicles: [],
      }),
    ).toEqual([]);
  });

  it.each<[string, BodyChanges]>([
    ['policy.issuanceDate', { policy: { issuanceDate: '2026-02-30' } }],
    ['certificate.effectiveDate', { certificate: { effectiveDate: '15/06/2026' } }],
    ['certificate.expirationDate', { certificate: { expirationDate: '2027-6-1' } }],
    ['policy.premiumAmount', { policy: { premiumAmount: -0.01 } }],
    ['policy.premiumAmount', { policy: { premiumAmount: 1_000_000_000.01 } }],
    ['operator.operatorType', { operator: { operatorType: 'individual' } }],
    ['operator.region', { operator: { region: 'NORTH' } }],
    ['operator.contactEmail', { operator: { contactEmail: 'maria.santos' } }],
    ['vehicles[0].plateNumber', vehicle({ plateNumber: 'A' })],
    ['vehicles[0].plateNumber', vehicle({ plateNumber: 'ABCDEF' })],
    ['vehicles[0].mvFileNumber', vehicle({ mvFileNumber: '123' })],
    ['vehicles[0].engineNumber', vehicle({ engineNumber: 'E#12345' })],
    ['vehicles[0].chassisNumber', vehicle({ chassisNumber: 'CHASSIS' })],
    ['vehicles[0].vehicleType', vehicle({ vehicleType: 'TRICYCLE' })],
    ['vehicles[0].denomination', vehicle({ denomination: 'BUS' })],
    ['vehicles[0].region', vehicle({ region: 'ncr' })],
    ['vehicles[0].passengerCapacity', vehicle({ passengerCapacity: 0 })],
    ['vehicles[0].passengerCapacity', vehicle({ passengerCapacity: 101 })],
    ['vehicles[0].yearModel', vehicle({ yearModel: 1949 })],
    ['vehicles[0].yearModel', vehicle({ yearModel: 2027 })],
    ['vehicles[0].yearModel', vehicle({ yearModel: 2101 })],
  ])('reports INVALID_FORMAT for %s', (field, changes) => {
    expect(found(changes)).toEqual([`${INVALID} ${field}`]);
  });

  it.each<[string, BodyChanges]>([
    ['policy.issuanceDate', { policy: { issuanceDate: '1899-01-01' } }],
    ['policy.issuanceDate', { policy: { issuanceDate: '0000-02-29' } }],
    ['certificate.effectiveDate', { certificate: { effectiveDate: '1899-12-31' } }],
    ['certificate.expirationDate', { certificate: { expirationDate: '3000-01-01' } }],
    ['certificate.expirationDate', { certificate: { expirationDate: '9999-12-31' } }],
  ])(
    'reports that a date of %s is out of range, not that it is invalid (D49)',
    (field, changes) => {
      expect(found(changes)).toEqual([`2 ERROR INVALID_DATE_RANGE ${field}`]);
    },
  );

  it.each<[string, BodyChanges]>([
    ['a premium of nothing', { policy: { premiumAmount: 0 } }],
    ['the highest premium', { policy: { premiumAmount: 1_000_000_000 } }],
    ['one passenger', vehicle({ passengerCapacity: 1 })],
    ['a hundred passengers', vehicle({ passengerCapacity: 100 })],
    ['the oldest year model', vehicle({ yearModel: 1950 })],
    ['a year model of this year', vehicle({ yearModel: 2026 })],
    ['an address with a subdomain', { operator: { contactEmail: 'm.s+x@mail.example.org' } }],
  ])('accepts %s', (_what, changes) => {
    expect(found(changes)).toEqual([]);
  });

  it.each(['a@b', 'a b@example.org', 'a@@example.org', 'a@example..org', '@example.org', 'a@.org'])(
    'takes %s for no e-mail address',
    (contactEmail) => {
      expect(found({ operator: { contactEmail } })).toEqual([`${INVALID} operator.contactEmail`]);
    },
  );

  describe('numbers of policies and certificates', () => {
    const messages = (number: string) =>
      checkNumbers(
        makeSubmission({ policy: { policyNumber: number }, certificate: { cocNumber: number } }),
      ).map(({ code, field, level, message }) => `${level} ${code} ${field}: ${message}`);

    it.each([
      'POL-1',
      'pol 1',
      'PIÑA-ñ 1',
      'PIN\u0303A',
      ' !"#$%&()*+,-./:;<=>?@[]^_`{|}~ ',
      '\uff30\uff2f\uff2c\uff0d\uff11',
      'POL\u00a01',
      '\ufeffPOL-1\u3000',
    ])('may be %j', (number) => {
      expect(messages(number)).toEqual([]);
    });

    it.each([
      ['POL-\u04101', 'U+0410'],
      ['POL\u00ad1', 'U+00AD'],
      ['P\u200dOL', 'U+200D'],
      ['POL-\u{1d7ce}\u0661', 'U+0661'],
      ['POL\u200f1', 'U+200F'],
      ['\u{e0041}1', 'U+E0041'],
      ['\u0000POL', 'U+0000'],
      ['PÉ1', 'U+00C9'],
      ['N\u0303\u0323', 'U+1E46'],
      ['POL  1', 'two spaces in a row'],
      ['POL\u00a0 1', 'two spaces in a row'],
    ])('must not be %j: the message names %s', (number, named) => {
      const rule =
        'letters without accents, Ñ, digits, ASCII punctuation and single spaces are allowed.';
      expect(messages(number)).toEqual([
        `2 INVALID_FORMAT policy.policyNumber: Must not have ${named}: ${rule}`,
        `2 INVALID_FORMAT certificate.cocNumber: Must not have ${named}: ${rule}`,
      ]);
    });

    it('that are absent are reported by level 1', () => {
      const absent = { policy: { policyNumber: null }, certificate: { cocNumber: ' ' } };
      expect(checkNumbers(makeSubmission(absent))).toEqual([]);
    });
  });

  it('never repeats personal data in a message', () => {
    const submission = makeSubmission({ operator: { contactEmail: 'canary at example' } });
    expect(JSON.stringify(checkFormat(submission, makeFacts()))).not.toContain('canary');
  });

  describe('dates', () => {
    it('allow a policy that is issued today or tomorrow, but not later', () => {
      expect(found({ policy: { issuanceDate: TODAY } })).toEqual([]);
      expect(found({ policy: { issuanceDate: '2026-06-16' } })).toEqual([]);
      expect(found({ policy: { issuanceDate: '2026-06-17' } })).toEqual([
        '2 ERROR INVALID_DATE_RANGE policy.issuanceDate',
      ]);
    });

    it.each([
      ['the effective date itself', '2026-06-15'],
      ['a day before it', '2026-06-14'],
    ])('do not allow cover to end on %s', (_what, expirationDate) => {
      expect(found({ certificate: { effectiveDate: TODAY, expirationDate } })).toEqual([
        '2 ERROR INVALID_DATE_RANGE certificate.expirationDate',
      ]);
    });

    it('may span at most the days of the rule set', () => {
      const certificate = { effectiveDate: '2026-06-15', expirationDate: '2027-07-20' };
      expect(found({ certificate })).toEqual([]);
      expect(found({ certificate: { ...certificate, expirationDate: '2027-07-21' } })).toEqual([
        '2 ERROR COVERAGE_TOO_LONG certificate.expirationDate',
      ]);
      expect(found({ certificate }, { maxCoverageDays: 399 })).toEqual([
        '2 ERROR COVERAGE_TOO_LONG certificate.expirationDate',
      ]);
    });

    it('that are invalid are not compared', () => {
      expect(
        found({ certificate: { effectiveDate: 'soon', expirationDate: '2020-01-01' } }),
      ).toEqual([`${INVALID} certificate.effectiveDate`]);
    });
  });

  it('accepts the coverage types of the rule set', () => {
    const changes = { policy: { coverageType: 'PPAI_PLUS' } };
    expect(found(changes)).toEqual(['2 ERROR UNSUPPORTED_COVERAGE_TYPE policy.coverageType']);
    expect(found(changes, { coverageTypes: ['PPAI_STANDARD', 'PPAI_PLUS'] })).toEqual([]);
  });

  it('accepts at most the number of vehicles of the rule set', () => {
    const vehicles = [makeVehicle(), makeVehicle(), makeVehicle()];
    expect(found({ vehicles }, { maxVehiclesPerCertificate: 3 })).toEqual([]);
    expect(found({ vehicles }, { maxVehiclesPerCertificate: 2 })).toEqual([`${INVALID} vehicles`]);
  });

  it.each(['plateNumber', 'mvFileNumber', 'engineNumber', 'chassisNumber'] as const)(
    'reports a %s that comes twice, after normalization, at each later vehicle',
    (kind) => {
      const vehicles = [
        makeVehicle({ [kind]: 'ab 1234' }),
        makeVehicle(),
        makeVehicle({ [kind]: 'AB-1234' }),
        makeVehicle({ [kind]: 'ab.1234' }),
      ];
      expect(found({ vehicles })).toEqual([
        `2 ERROR DUPLICATE_IDENTIFIER_IN_PAYLOAD vehicles[2].${kind}`,
        `2 ERROR DUPLICATE_IDENTIFIER_IN_PAYLOAD vehicles[3].${kind}`,
      ]);
    },
  );

  it('allows one value in two identifiers of different kinds', () => {
    const vehicles = [
      makeVehicle({ engineNumber: 'SAME1234' }),
      makeVehicle({ chassisNumber: 'SAME1234' }),
    ];
    expect(found({ vehicles })).toEqual([]);
  });
});
