import type { AmendmentBody } from '../../../../shared/contract/machine/amendment.ts';
import type { CurrentRecord } from '../../../../shared/domain/amendment/record.ts';
import { makePlainVehicle } from '../../../env/api/bodies.ts';
import { makeMembership, makePolicy, makeSubmission, POOL } from '../facts-and-submissions.ts';
import { amend, BY_MANAGEMENT, codesOf, OF_BRAVO, renamed, submission } from './changed-record.ts';

describe('an amendment (D14)', () => {
  it('makes the next version with a diff and a snapshot', () => {
    const { acknowledgment, changes, writes } = amend(renamed);
    expect(acknowledgment).toMatchObject({
      status: 'ACCEPTED',
      kind: 'AMEND',
      version: 3,
      registryReference: 'PPAI-2026-000000007',
    });
    expect(changes?.amendment).toMatchObject({
      fromVersion: 2,
      toVersion: 3,
      diff: [{ path: 'operator.name', before: 'Maria Santos', after: 'Pedro' }],
    });
    expect(writes.versions).toMatchObject([
      { version: 3, snapshot: { operator: { name: 'Pedro' } } },
    ]);
    expect(writes.certificates).toEqual([]);
  });

  it('keeps a number that would be invalid for a new certificate', () => {
    const old = makeSubmission({
      policy: { policyNumber: 'POL\u20131', issuanceDate: '2026-06-01' },
      certificate: { cocNumber: 'COC  \u0410' },
      vehicles: [makePlainVehicle({ plateNumber: 'AAA111' })],
    });
    expect(amend(renamed, { submission: old }).verdict.status).toBe('ACCEPTED');
  });

  it('that changes nothing is NO_CHANGES', () => {
    const outcome = amend({ changes: { operator: { name: 'Maria Santos' } } });
    expect(outcome.verdict.errorCode).toBe('VALIDATION_FAILED');
    expect(codesOf(outcome)).toEqual(['NO_CHANGES']);
    expect(outcome.changes).toBeNull();
  });

  it('of an identity field is IMMUTABLE_FIELD before anything else', () => {
    const outcome = amend({
      changes: { policy: { policyNumber: 'POL-2' }, operator: { name: null } },
    });
    expect(outcome.verdict.errorCode).toBe('IMMUTABLE_FIELD');
    expect(codesOf(outcome)).toEqual(['REQUIRED', 'IMMUTABLE_FIELD']);
  });

  it('of another version than expected is a CONFLICT', () => {
    expect(amend({ ...renamed, expectedVersion: 1 }).verdict.errorCode).toBe('CONFLICT');
    expect(amend({ ...renamed, expectedVersion: 2 }).verdict.errorCode).toBeNull();
  });

  it('of a cancelled record is RECORD_CANCELLED', () => {
    expect(amend(renamed, { lifecycle: 'CANCELLED' }).verdict.errorCode).toBe('RECORD_CANCELLED');
  });

  it('of policy fields that other certificates share has one finding per field', () => {
    const changes = { poolCode: null, policy: { remarks: 'new', premiumAmount: 1 } };
    const { verdict } = amend({ changes }, { certificatesSharingPolicy: 1 });
    expect(verdict.errorCode).toBe('VALIDATION_FAILED');
    expect(
      verdict.findings
        .filter(({ code }) => code === 'POLICY_SHARED_BY_OTHER_CERTIFICATES')
        .map(({ field }) => field),
    ).toEqual(['changes.policy.premiumAmount', 'changes.policy.remarks']);
    expect(amend({ changes }).verdict.status).toBe('ACCEPTED');
  });

  it('passes the four levels as a new certificate would', () => {
    const changes = {
      policy: { issuanceDate: '2024-06-01' },
      certificate: { expirationDate: '2026-01-01' },
      operator: { region: null },
    };
    const outcome = amend({ changes }, OF_BRAVO, BY_MANAGEMENT);
    expect(codesOf(outcome)).toEqual([
      'REQUIRED',
      'INVALID_DATE_RANGE',
      'NOT_AUTHORIZED_TO_TRANSMIT',
    ]);
  });

  it.each<[string, Partial<AmendmentBody>, Partial<CurrentRecord>]>([
    ['changes nothing', { changes: { operator: { name: 'Maria Santos' } } }, {}],
    ['changes an identity field', { changes: { policy: { policyNumber: 'POL-2' } } }, {}],
    ['would give itself authority', { changes: { policy: { issuanceDate: '2026-05-01' } } }, {}],
    ['changes the pool', { changes: { poolCode: POOL.code } }, {}],
    ['selects no vehicle', { changes: { vehicles: { remove: [{ plateNumber: 'ZZZ999' }] } } }, {}],
    [
      'shares the policy',
      { changes: { policy: { remarks: 'x' } } },
      { certificatesSharingPolicy: 1 },
    ],
    ['expects another version', { ...renamed, expectedVersion: 9 }, {}],
    ['is of a cancelled record', renamed, { lifecycle: 'CANCELLED' }],
  ])(
    'without authority on the date of the policy reveals nothing about the record: one that %s (D28)',
    (_what, body, record) => {
      const policy = makePolicy({ issuanceDate: '2024-06-01' });
      const outcome = amend(body, { ...OF_BRAVO, ...record }, { ...BY_MANAGEMENT, policy });
      expect(outcome.verdict).toMatchObject({
        errorCode: 'VALIDATION_FAILED',
        findings: [{ code: 'NOT_AUTHORIZED_TO_TRANSMIT', field: 'issuingInsurerCode' }],
      });
      expect(outcome.acknowledgment).toMatchObject({
        plateNumbers: [],
        referenceMatches: [],
        warnings: [],
      });
    },
  );

  it('points to the sent member when the policy would lose its transmitter', () => {
    const fieldOf = (changes: AmendmentBody['changes']) =>
      amend({ changes }, OF_BRAVO, BY_MANAGEMENT).verdict.findings.find(
        ({ severity }) => severity === 'ERROR',
      )?.field;
    expect(fieldOf({ policy: { issuanceDate: '2024-06-01' } })).toBe('changes.policy.issuanceDate');
    expect(fieldOf({ poolCode: 'POOL-NOWHERE' })).toBe('changes.poolCode');
  });

  it('keeps an inactive pool with a warning, and cannot add one (D34, D45)', () => {
    const pool = { ...POOL, status: 'SUSPENDED' as const };
    const facts = { pool, memberships: [makeMembership({ poolStatus: 'SUSPENDED' })] };
    const pooled = { submission: { ...submission, poolCode: POOL.code } };
    const { verdict } = amend(renamed, pooled, facts);
    expect(verdict.status).toBe('ACCEPTED');
    expect(verdict.findings).toContainEqual(
      expect.objectContaining({
        code: 'ORGANIZATION_NOT_ACTIVE',
        severity: 'WARNING',
        field: 'poolCode',
      }),
    );
    const taken = amend({ changes: { poolCode: POOL.code } }, {}, facts);
    expect(taken.verdict.findings).toContainEqual(
      expect.objectContaining({
        code: 'ORGANIZATION_NOT_ACTIVE',
        severity: 'ERROR',
        field: 'changes.poolCode',
      }),
    );
    expect(amend({ changes: { poolCode: null } }, pooled, facts).verdict.status).toBe('ACCEPTED');
  });
});
