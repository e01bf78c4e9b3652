import { changesInWords } from '../../../../console/ui/object/changes-in-words.ts';

describe('the changes of an audit entry', () => {
  it('are what was before and after, without the reason', () => {
    expect(changesInWords({ status: 'ACTIVE' }, { status: 'SUSPENDED', reason: 'unpaid' })).toEqual(
      ['Status: ACTIVE → SUSPENDED'],
    );
  });

  it('leave out what stayed the same', () => {
    expect(changesInWords({ name: 'A', limit: 1 }, { name: 'B', limit: 1 })).toEqual([
      'Name: A → B',
    ]);
  });

  it('name a member as a person reads it, also one with several values or none', () => {
    expect(changesInWords({ ipAllowlist: ['10.0.0.1', '10.0.0.2'] }, { ipAllowlist: [] })).toEqual([
      'Ip allowlist: 10.0.0.1, 10.0.0.2 → none',
    ]);
    expect(changesInWords(null, { code: 'INS-A' })).toEqual(['Code: INS-A']);
  });
});
