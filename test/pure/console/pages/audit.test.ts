import { pathOfObject } from '../../../../console/pages/audit/object-path.ts';
import { describeVerification } from '../../../../console/pages/audit/verification/verification-words.ts';

const HASH = 'a'.repeat(64);

function resultOf(
  state: 'SOUND' | 'NOT_SEALED',
  verifiedFrom: number,
  sequence: number,
): Parameters<typeof describeVerification>[0] {
  return { state, verifiedFrom, head: { sequence, hash: HASH }, brokenAt: null, reason: null };
}

describe('a verification of the audit log, in words', () => {
  it('says what was verified', () => {
    expect(describeVerification(resultOf('SOUND', 1, 1_200), false)).toEqual({
      tone: 'good',
      title: 'The log is sound.',
      text: '1,200 entries verified, from the first to the last. The last entry is sealed.',
    });
    const { text } = describeVerification(resultOf('SOUND', 201, 100_200), true);
    expect(text).toContain('The entries from 201 to 100,200 are verified');
    expect(text).toContain('verify-audit');
    expect(text).toContain('the head that you gave');
  });

  it('warns when the last entry has no seal', () => {
    const { tone, text } = describeVerification(resultOf('NOT_SEALED', 1, 2), false);
    expect(tone).toBe('warning');
    expect(text).toContain('seal-audit');
  });

  it('says where a broken chain breaks, and what to do', () => {
    const broken = {
      state: 'BROKEN',
      verifiedFrom: null,
      head: null,
      brokenAt: 1_007,
      reason: 'it was changed',
    } as const;
    const { tone, title, text } = describeVerification(broken, false);
    expect(tone).toBe('error');
    expect(title).toBe('The log is not sound from entry 1,007 on.');
    expect(text).toContain('it was changed');
    expect(text).toContain('Do not delete anything');
  });
});

describe('the page of an audited object', () => {
  it('is found by its type and id', () => {
    expect(pathOfObject('FLAG', 'f1')).toBe('/flags/f1');
    expect(pathOfObject('TRANSMISSION', 'PPAI-TX-2026-000000001')).toBe(
      '/transmissions/PPAI-TX-2026-000000001',
    );
  });

  it('is missing for what has no page or no id', () => {
    expect(pathOfObject('LIST', 'flags')).toBeUndefined();
    expect(pathOfObject('USER', null)).toBeUndefined();
  });
});
