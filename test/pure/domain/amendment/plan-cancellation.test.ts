import type { CancellationBody } from '../../../../shared/contract/machine/cancellation.ts';
import type { CurrentRecord } from '../../../../shared/domain/amendment/record.ts';
import { BRAVO, makePolicy } from '../facts-and-submissions.ts';
import { BY_MANAGEMENT, cancel, OF_BRAVO, submission } from './changed-record.ts';

describe('a cancellation (D15)', () => {
  it('keeps the version, frees the vehicles and is acknowledged as CANCELLED', () => {
    const { acknowledgment, changes } = cancel({});
    expect(acknowledgment).toMatchObject({
      status: 'ACCEPTED',
      kind: 'CANCEL',
      coverageStatus: 'CANCELLED',
      version: 2,
    });
    expect(changes).toMatchObject({ held: [], cancellation: { reasonCode: 'OPERATOR_REQUEST' } });
  });

  it.each<[string, Partial<CancellationBody>, string, string]>([
    ['another policy', { policyNumber: 'POL-2' }, 'RECORD_MISMATCH', 'policyNumber'],
    ['another certificate', { cocNumber: 'COC-2' }, 'RECORD_MISMATCH', 'cocNumber'],
    [
      'a later day',
      { cancellationEffectiveDate: '2026-06-16' },
      'VALIDATION_FAILED',
      'cancellationEffectiveDate',
    ],
    [
      'a day before the issuance',
      { cancellationEffectiveDate: '2026-05-31' },
      'VALIDATION_FAILED',
      'cancellationEffectiveDate',
    ],
    [
      'no day',
      { cancellationEffectiveDate: '2026-06-31' },
      'VALIDATION_FAILED',
      'cancellationEffectiveDate',
    ],
    ['no known reason', { reasonCode: 'BORED' }, 'VALIDATION_FAILED', 'reasonCode'],
  ])('of %s is refused', (_what, body, errorCode, field) => {
    const { verdict, changes } = cancel(body);
    expect(verdict.errorCode).toBe(errorCode);
    expect(verdict.findings.map((finding) => finding.field)).toEqual([field]);
    expect(changes).toBeNull();
  });

  it.each(['2026-06-01', '2026-06-15'])('may begin on %s', (cancellationEffectiveDate) => {
    expect(cancel({ cancellationEffectiveDate }).verdict.errorCode).toBeNull();
  });

  it('of a policy that is issued tomorrow is possible only today (D30)', () => {
    const tomorrow = {
      submission: { ...submission, policy: { ...submission.policy, issuanceDate: '2026-06-16' } },
    };
    const codes = ['2026-06-14', '2026-06-15', '2026-06-16'].map(
      (cancellationEffectiveDate) =>
        cancel({ cancellationEffectiveDate }, tomorrow).verdict.findings[0]?.message,
    );
    const message = 'Must be today, 2026-06-15.';
    expect(codes).toEqual([message, undefined, message]);
  });

  it('of a cancelled record is RECORD_CANCELLED, even if there are other errors', () => {
    const { verdict } = cancel({ policyNumber: 'POL-2' }, { lifecycle: 'CANCELLED' });
    expect(verdict.errorCode).toBe('RECORD_CANCELLED');
  });

  it('requires the authority to transmit today', () => {
    expect(cancel({}, {}, { submitter: BRAVO }).verdict.findings).toMatchObject([
      { code: 'NOT_AUTHORIZED_TO_TRANSMIT' },
    ]);
  });

  it.each<[string, Partial<CancellationBody>, Partial<CurrentRecord>]>([
    ['has other numbers', { policyNumber: 'POL-2', cocNumber: 'COC-2' }, {}],
    ['has a day before the issuance', { cancellationEffectiveDate: '2020-01-01' }, {}],
    ['is of a cancelled record', {}, { lifecycle: 'CANCELLED' }],
  ])(
    'without authority on the date of the policy reveals nothing about the record: one that %s (D28)',
    (_what, body, record) => {
      const policy = makePolicy({ issuanceDate: '2024-06-01' });
      const { verdict, acknowledgment } = cancel(
        body,
        { ...OF_BRAVO, ...record },
        { ...BY_MANAGEMENT, policy },
      );
      expect(verdict.findings.map(({ code }) => code)).toEqual(['NOT_AUTHORIZED_TO_TRANSMIT']);
      expect(acknowledgment.plateNumbers).toEqual([]);
    },
  );
});
