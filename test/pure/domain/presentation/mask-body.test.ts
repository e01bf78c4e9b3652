import { maskBody, personalPathsOf } from '../../../../shared/domain/presentation/mask-body.ts';

const OPERATOR = {
  name: 'Maria Santos',
  tin: '123-456-789',
  contactEmail: 'maria@example.org',
  contactPhone: null,
};
const MASKED = { ...OPERATOR, tin: '********789', contactEmail: 'm***@example.org' };

describe('a submitted body', () => {
  it('is masked in the operator of a CREATE and of an AMEND', () => {
    const body = { externalTransactionId: 'X', operator: OPERATOR, vehicles: [] };
    expect(maskBody(body)).toEqual({ ...body, operator: MASKED });
    const amendment = { reason: 'R', changes: { operator: OPERATOR, poolCode: null } };
    expect(maskBody(amendment)).toEqual({
      reason: 'R',
      changes: { operator: MASKED, poolCode: null },
    });
  });

  it('adds no absent members, and hides values that are not texts', () => {
    expect(maskBody({ reasonText: 'R' })).toEqual({ reasonText: 'R' });
    expect(maskBody({ operator: null })).toEqual({ operator: null });
    expect(maskBody({ operator: { tin: 123_456_789 } })).toEqual({ operator: { tin: '***' } });
  });

  it('names its personal members', () => {
    expect(personalPathsOf({ operator: OPERATOR })).toEqual([
      'operator.tin',
      'operator.contactEmail',
    ]);
    const reversed = Object.fromEntries(Object.entries(OPERATOR).toReversed());
    expect(personalPathsOf({ operator: reversed })).toEqual(
      personalPathsOf({ operator: OPERATOR }),
    );
    expect(personalPathsOf({ changes: { operator: { contactPhone: '1' } } })).toEqual([
      'changes.operator.contactPhone',
    ]);
    expect(personalPathsOf({ reasonText: 'R' })).toEqual([]);
  });
});
