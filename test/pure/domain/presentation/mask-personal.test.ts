import fc from 'fast-check';
import {
  maskDiff,
  maskOperator,
  maskSnapshot,
} from '../../../../shared/domain/presentation/mask-personal.ts';
import {
  readSubmission,
  type SubmittedOperator,
} from '../../../../shared/domain/registration/submission.ts';
import { makeBody } from '../../../env/api/bodies.ts';

const OPERATOR: SubmittedOperator = readSubmission(makeBody()).operator;
const MASKED = {
  tinMasked: '************000',
  contactEmailMasked: 'm***@example.org',
  contactPhoneMasked: '********0142',
};

describe('an operator in an answer', () => {
  it('shows personal members only in masked form, under names that say so', () => {
    const masked = maskOperator(OPERATOR);
    expect(masked).toMatchObject({ name: 'Maria Santos', region: 'NCR', ...MASKED });
    for (const name of ['tin', 'contactEmail', 'contactPhone'])
      expect(masked).not.toHaveProperty(name);
  });

  it('adds no absent members', () => {
    expect(
      maskOperator({ ...OPERATOR, tin: null, contactEmail: null, contactPhone: null }),
    ).toMatchObject({
      tinMasked: null,
      contactEmailMasked: null,
      contactPhoneMasked: null,
    });
  });

  it('never contains a whole personal value', () => {
    // Masking does not change a value of asterisks.
    const isPlain = (value: string) => !value.includes('*');
    const text = fc.string({ minLength: 4, maxLength: 32 }).filter(isPlain);
    fc.assert(
      fc.property(text, text, fc.emailAddress().filter(isPlain), (tin, phone, email) => {
        const operator = { ...OPERATOR, tin, contactPhone: phone, contactEmail: email };
        const snapshot = { ...readSubmission(makeBody()), operator };
        const masked = maskSnapshot(snapshot)['operator'] as ReturnType<typeof maskOperator>;
        expect(masked.tinMasked).not.toContain(tin);
        expect(masked.contactPhoneMasked).not.toContain(phone);
        expect(masked.contactEmailMasked).not.toContain(email);
      }),
    );
  });
});

describe('the diff of an amendment', () => {
  it('masks the old and new values of personal members, and nothing else', () => {
    expect(
      maskDiff([
        { path: 'operator.tin', before: '123-456-789-000', after: '999-888-777-123' },
        { path: 'operator.contactEmail', before: null, after: 'anna@example.org' },
        { path: 'operator.contactPhone', before: '+63 917 555 0142', after: null },
        { path: 'operator.name', before: 'Maria Santos', after: 'Anna Cruz' },
        { path: 'policy.premiumAmount', before: 1, after: 2 },
        { path: 'vehicles[CHS1]', after: { plateNumber: 'T1' } },
      ]),
    ).toEqual([
      { path: 'operator.tin', before: '************000', after: '************123' },
      { path: 'operator.contactEmail', before: null, after: 'a***@example.org' },
      { path: 'operator.contactPhone', before: '********0142', after: null },
      { path: 'operator.name', before: 'Maria Santos', after: 'Anna Cruz' },
      { path: 'policy.premiumAmount', before: 1, after: 2 },
      { path: 'vehicles[CHS1]', after: { plateNumber: 'T1' } },
    ]);
  });

  it('masks members of a whole operator, and values that are not texts', () => {
    expect(
      maskDiff([
        { path: 'operator', before: OPERATOR },
        { path: 'operator.tin', after: 123_456_789 },
      ]),
    ).toEqual([
      {
        path: 'operator',
        before: {
          ...OPERATOR,
          tin: MASKED.tinMasked,
          contactEmail: MASKED.contactEmailMasked,
          contactPhone: MASKED.contactPhoneMasked,
        },
      },
      { path: 'operator.tin', after: '***' },
    ]);
  });
});
