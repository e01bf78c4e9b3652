import type { FindingCode } from '../../../../shared/contract/findings.ts';
import { makeFinding } from '../../../../shared/contract/findings.ts';
import { rejectionCode } from '../../../../shared/contract/machine/rejection.ts';
import type { Facts } from '../../../../shared/domain/rules/facts.ts';
import { judge } from '../../../../shared/domain/rules/judge.ts';
import { type BodyChanges, makePlainVehicle, makeVehicle } from '../../../env/api/bodies.ts';
import {
  BRAVO,
  MANAGEMENT,
  makeFacts,
  makeMembership,
  makeOrganization,
  makePolicy,
  makeSubmission,
} from '../facts-and-submissions.ts';

const decide = (changes: BodyChanges = {}, facts: Partial<Facts> = {}) =>
  judge(makeSubmission(changes), makeFacts(facts));

const policy = makePolicy();

describe('a verdict', () => {
  it('is ACCEPTED when all levels pass and no flag is raised', () => {
    expect(decide()).toMatchObject({ status: 'ACCEPTED', errorCode: null, flags: [] });
  });

  it('is REJECTED because of one error of level 1, 2 or 3, and then raises no flag', () => {
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

  it('collects the findings of all four levels in order before it decides', () => {
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

  it('is never REJECTED because of level 4 or a warning', () => {
    const verdict = judge(makeSubmission({ vehicles: [makeVehicle()] }), makeFacts(), {
      findings: [makeFinding('UNKNOWN_FIELD', 'extra', 'Unknown.')],
    });
    expect(verdict.status).toBe('FLAGGED');
    expect(verdict.findings.map(({ code }) => code)).toEqual([
      'UNKNOWN_FIELD',
      'REFERENCE_NO_MATCH',
    ]);
  });

  it('does not reveal certificates of an insurer to an organization without authority for it', () => {
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

  it('does not reveal them by omitting the insurer that covers the vehicles', () => {
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

  it('reveals nothing about a policy to a transmitter that sends another issuance date (D28)', () => {
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

  it('reveals nothing about policies of others to a suspended transmitter (D28, D34)', () => {
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

  it('reports to an insurer that its number is taken, even if there are other errors (D11)', () => {
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

  it('treats the pool of an unknown insurer like that of an organization that is not an insurer', () => {
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
