import type { FindingCode } from '../../../../shared/contract/findings.ts';
import { makeFinding } from '../../../../shared/contract/findings.ts';
import { rejectionCode } from '../../../../shared/contract/machine/rejection.ts';
import type { Facts } from '../../../../shared/domain/rules/facts.ts';
import { judge } from '../../../../shared/domain/rules/judge.ts';
import { type BodyChanges, makePlainVehicle, makeVehicle } from '../../../env/api/bodies.ts';
import {
  BRAVO,
  MANAGEMENT,
  makeCanonical,
  makeFacts,
  makeMembership,
  makeOrganization,
  makePolicy,
  makeReference,
  makeSubmission,
} from '../facts-and-submissions.ts';

const decide = (changes: BodyChanges = {}, facts: Partial<Facts> = {}) =>
  judge(makeSubmission(changes), makeFacts(facts));

const policy = makePolicy();

describe('a verdict', () => {
  it('is ACCEPTED when all levels pass and no flag is raised', () => {
    expect(decide()).toMatchObject({ status: 'ACCEPTED', errorCode: null, flags: [] });
  });

  it('is REJECTED by one error of level 1, 2 or 3, and then raises no flag', () => {
    for (const [changes, facts] of [
      [{ operator: { name: null } }, {}],
      [{ policy: { coverageType: 'OTHER' } }, {}],
      [{ issuingInsurerCode: BRAVO.code }, { issuingInsurer: BRAVO }],
    ] as const) {
      expect(decide({ ...changes, vehicles: [makeVehicle()] }, facts)).toMatchObject({
        status: 'REJECTED',
        errorCode: 'VALIDATION_FAILED',
        flags: [],
      });
    }
  });

  it('collects the findings of all four levels before it decides, by level', () => {
    const { status, findings } = decide(
      {
        issuingInsurerCode: BRAVO.code,
        operator: { name: null },
        policy: { coverageType: 'OTHER' },
        vehicles: [makeVehicle()],
      },
      { issuingInsurer: BRAVO },
    );
    expect(status).toBe('REJECTED');
    expect(findings.map(({ level, code }) => [level, code])).toEqual([
      [1, 'REQUIRED'],
      [2, 'UNSUPPORTED_COVERAGE_TYPE'],
      [3, 'NOT_AUTHORIZED_TO_TRANSMIT'],
      [4, 'REFERENCE_NO_MATCH'],
    ]);
  });

  it('is never rejected by level 4 or by a warning', () => {
    const verdict = judge(makeSubmission({ vehicles: [makeVehicle()] }), makeFacts(), {
      findings: [makeFinding('UNKNOWN_FIELD', 'extra', 'Unknown.')],
    });
    expect(verdict.status).toBe('FLAGGED');
    expect(verdict.findings.map(({ code }) => code)).toEqual([
      'UNKNOWN_FIELD',
      'REFERENCE_NO_MATCH',
    ]);
  });

  it('does not tell who may not transmit for an insurer which certificates it has', () => {
    const registered = {
      certificateId: 'c',
      registryReference: 'PPAI-2026-000000001',
      lifecycle: 'CURRENT' as const,
      vehicles: [],
    };
    const { findings } = decide(
      { issuingInsurerCode: BRAVO.code },
      { issuingInsurer: BRAVO, registered, policy: { ...policy, remarks: 'secret' } },
    );
    expect(findings.map(({ code }) => code)).not.toContain('COC_ALREADY_REGISTERED');
    expect(findings.map(({ code }) => code)).not.toContain('POLICY_DETAILS_DIFFER');
  });

  it('does not tell them by leaving out who covers the vehicles either', () => {
    const vehicle = makePlainVehicle();
    const { plateNumber } = makeSubmission({ vehicles: [vehicle] }).vehicles[0] ?? {};
    const blocker = {
      kind: 'plateNumber' as const,
      value: plateNumber ?? '',
      certificateId: 'c',
      insurerName: 'Bravo',
      expirationDate: '2026-12-31',
    };
    const registered = {
      certificateId: 'c',
      registryReference: 'R',
      lifecycle: 'CURRENT' as const,
      vehicles: [],
    };
    const codesWith = (facts: Partial<Facts>) =>
      decide(
        { issuingInsurerCode: BRAVO.code, vehicles: [vehicle] },
        { issuingInsurer: BRAVO, blockers: [blocker], ...facts },
      ).findings.map(({ code }) => code);
    expect(codesWith({ registered })).toEqual(codesWith({ registered: null }));
    expect(codesWith({ registered })).toContain('VEHICLE_ALREADY_INSURED');
  });

  it('tells who claims another issuance date than the policy has nothing of the policy (D28)', () => {
    const registered = {
      certificateId: 'c',
      registryReference: 'R',
      lifecycle: 'CURRENT' as const,
      vehicles: [],
    };
    const facts = {
      submitter: MANAGEMENT,
      issuingInsurer: BRAVO,
      memberships: [makeMembership({ validTo: '2025-12-31' })],
      policy: makePolicy({ issuanceDate: '2026-02-01', remarks: 'secret', premiumAmount: '9' }),
    };
    const changes = {
      issuingInsurerCode: BRAVO.code,
      poolCode: 'POOL-NORTH',
      policy: { issuanceDate: '2025-06-01' },
      vehicles: [makePlainVehicle()],
    };
    const verdicts = [{ registered }, { registered: null }].map((more) =>
      decide(changes, { ...facts, ...more }),
    );
    for (const { status, findings, flags } of verdicts) {
      expect([status, flags]).toEqual(['REJECTED', []]);
      expect(findings.map(({ code }) => code)).toEqual([
        'NOT_AUTHORIZED_TO_TRANSMIT',
        'REFERENCE_DATA_UNAVAILABLE',
      ]);
      expect(JSON.stringify(findings)).not.toContain('2026-02-01');
    }
    expect(verdicts[0]).toEqual(verdicts[1]);
  });

  it('tells a transmitter that is suspended nothing of the policies of others (D28, D34)', () => {
    const facts = {
      issuingInsurer: BRAVO,
      memberships: [makeMembership()],
      policy: makePolicy({ remarks: 'secret' }),
    };
    const codes = (submitter: Facts['submitter'], issuingInsurer = BRAVO) =>
      decide({ issuingInsurerCode: issuingInsurer.code }, { ...facts, submitter, issuingInsurer })
        .findings.map(({ code }) => code)
        .filter((code) => !code.startsWith('REFERENCE'));
    const suspended = { ...MANAGEMENT, status: 'SUSPENDED' as const };
    expect(codes(MANAGEMENT)).toEqual(['POLICY_DETAILS_DIFFER']);
    expect(codes(suspended)).toEqual(['ORGANIZATION_NOT_ACTIVE']);
    const insurer = { ...BRAVO, status: 'SUSPENDED' as const };
    expect(codes(insurer, insurer)).toContain('POLICY_DETAILS_DIFFER');
  });

  it('tells an insurer that its number is taken, whatever else is wrong (D11)', () => {
    const registered = {
      certificateId: 'c',
      registryReference: 'R',
      lifecycle: 'CURRENT' as const,
      vehicles: [],
    };
    const { errorCode, findings } = decide({ poolCode: 'POOL-NOWHERE' }, { registered });
    expect(errorCode).toBe('VALIDATION_FAILED');
    expect(findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['POOL_MEMBERSHIP_NOT_FOUND', 'COC_ALREADY_REGISTERED']),
    );
  });

  it('reports the pool of an unknown insurer like that of an organization that is none', () => {
    const pools = [null, makeOrganization('MGT-TWO', { type: 'MANAGEMENT_COMPANY' })].map(
      (issuingInsurer) =>
        decide({ issuingInsurerCode: 'MGT-TWO', poolCode: 'POOL-NORTH' }, { issuingInsurer })
          .findings.map(({ code }) => code)
          .filter((code) => !code.startsWith('REFERENCE')),
    );
    expect(pools[0]).toEqual(['UNKNOWN_INSURER', 'POOL_MEMBERSHIP_NOT_FOUND']);
    expect(pools[1]).toEqual(pools[0]);
  });
});

describe('the top-level code of a rejection (D11)', () => {
  const codeOf = (...codes: FindingCode[]) =>
    rejectionCode(codes.map((code) => makeFinding(code, null, '')));

  it.each<[string | null, FindingCode[]]>([
    [null, []],
    [null, ['UNKNOWN_FIELD', 'POLICY_DETAILS_DIFFER', 'REFERENCE_NO_MATCH']],
    ['VALIDATION_FAILED', ['REQUIRED']],
    ['VALIDATION_FAILED', ['MISSING_SCOPE']],
    ['DUPLICATE_TRANSMISSION', ['DUPLICATE_TRANSMISSION', 'REFERENCE_MATCHED']],
    ['COC_ALREADY_REGISTERED', ['COC_ALREADY_REGISTERED']],
    ['VEHICLE_ALREADY_INSURED', ['VEHICLE_ALREADY_INSURED', 'VEHICLE_ALREADY_INSURED']],
    ['COC_ALREADY_REGISTERED', ['VEHICLE_ALREADY_INSURED', 'COC_ALREADY_REGISTERED']],
    ['DUPLICATE_TRANSMISSION', ['VEHICLE_ALREADY_INSURED', 'DUPLICATE_TRANSMISSION']],
    ['VALIDATION_FAILED', ['VEHICLE_ALREADY_INSURED', 'INVALID_FORMAT']],
    ['VALIDATION_FAILED', ['DUPLICATE_TRANSMISSION', 'NOT_AUTHORIZED_TO_TRANSMIT']],
    ['VEHICLE_ALREADY_INSURED', ['VEHICLE_ALREADY_INSURED', 'UNKNOWN_FIELD']],
  ])('is %s for %j', (expected, codes) => {
    expect(codeOf(...codes)).toBe(expected);
  });
});

describe('a flag', () => {
  const reference = makeReference('1', { plateNumber: 'NCR1', chassisNumber: 'OTHER1' });

  it('VEHICLE_MISMATCH is raised for NO_MATCH and FOR_REVIEW, for each vehicle', () => {
    const vehicles = [
      makeVehicle({ plateNumber: 'AAA111' }),
      makePlainVehicle(),
      makeVehicle({ plateNumber: 'NCR1', chassisNumber: 'OTHER1', region: 'NCR' }),
    ];
    const other = makeReference('2', { engineNumber: vehicles[2]?.engineNumber ?? '' });
    const { status, flags } = decide({ vehicles }, { referenceVehicles: [reference, other] });
    expect(status).toBe('FLAGGED');
    expect(
      flags.map(({ type, position, plateNumber, details }) => [
        type,
        position,
        plateNumber,
        details,
      ]),
    ).toEqual([
      ['VEHICLE_MISMATCH', 0, 'AAA111', { result: 'NO_MATCH' }],
      ['VEHICLE_MISMATCH', 2, 'NCR1', { result: 'FOR_REVIEW' }],
    ]);
  });

  it('is not raised for a region without reference data, nor for a partial match', () => {
    const partial = makeVehicle({ plateNumber: 'NCR1', chassisNumber: 'OTHER1' });
    expect(decide({ vehicles: [makePlainVehicle()] }).status).toBe('ACCEPTED');
    expect(decide({ vehicles: [partial] }, { referenceVehicles: [reference] })).toMatchObject({
      status: 'ACCEPTED',
      referenceMatches: [{ result: 'PARTIAL_MATCH' }],
    });
  });

  it.each([
    ['flagNoMatch', makeVehicle(), 'NO_MATCH'],
    ['flagForReview', makeVehicle({ plateNumber: 'NCR1', engineNumber: 'ENG2X' }), 'FOR_REVIEW'],
  ] as const)('is switched by %s of the rule set', (name, vehicle, result) => {
    const referenceVehicles = [reference, makeReference('2', { engineNumber: 'ENG2X' })];
    const { ruleSet } = makeFacts();
    const on = decide({ vehicles: [vehicle] }, { referenceVehicles });
    const off = decide(
      { vehicles: [vehicle] },
      { referenceVehicles, ruleSet: { ...ruleSet, [name]: false } },
    );
    expect(on).toMatchObject({ status: 'FLAGGED', referenceMatches: [{ result }] });
    expect(off).toMatchObject({ status: 'ACCEPTED', referenceMatches: [{ result }], flags: [] });
  });

  it('IDENTIFIER_CONFLICT is raised when the identifiers name two vehicles, and says which one it is (D10)', () => {
    const vehicle = makePlainVehicle({ plateNumber: 'P1', chassisNumber: 'C1234' });
    const vehicles = [
      makeCanonical('by plate', { plateNumber: 'P1' }),
      makeCanonical('by chassis', { chassisNumber: 'C1234' }),
    ];
    const { status, flags } = decide({ vehicles: [vehicle] }, { vehicles });
    expect(status).toBe('FLAGGED');
    expect(flags).toMatchObject([
      {
        type: 'IDENTIFIER_CONFLICT',
        plateNumber: 'P1',
        details: {
          matchedVehicleIds: ['by chassis', 'by plate'],
          decidedVehicleId: 'by chassis',
        },
      },
    ]);
  });

  it('of a historical type is never raised', () => {
    const vehicle = makeVehicle({ plateNumber: 'P1', chassisNumber: 'C1234' });
    const vehicles = [
      makeCanonical('a', { plateNumber: 'P1' }),
      makeCanonical('b', { chassisNumber: 'C1234' }),
    ];
    const types = decide({ vehicles: [vehicle] }, { vehicles, policy }).flags.map(
      ({ type }) => type,
    );
    expect(types).toEqual(['VEHICLE_MISMATCH', 'IDENTIFIER_CONFLICT']);
  });
});

describe('a policy that is registered already', () => {
  it('is joined without a word when its details are the same', () => {
    expect(decide({}, { policy }).findings.map(({ code }) => code)).not.toContain(
      'POLICY_DETAILS_DIFFER',
    );
  });

  it.each<[string, BodyChanges]>([
    ['policy.issuanceDate', { policy: { issuanceDate: '2026-06-01' } }],
    ['policy.premiumAmount', { policy: { premiumAmount: 1 } }],
    ['policy.officialReceiptNumber', { policy: { officialReceiptNumber: 'OR-1' } }],
    ['policy.remarks', { policy: { remarks: 'new' } }],
  ])('keeps its %s and the certificate gets a warning', (field, changes) => {
    const { status, findings } = decide(changes, { policy });
    expect(status).toBe('ACCEPTED');
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'POLICY_DETAILS_DIFFER', severity: 'WARNING', field }),
    );
  });
});
