import { targetOf } from '../../../../console/jump/target.ts';

describe('where a text in the search box leads', () => {
  it.each([
    ['PPAI-2026-000000001', '/records/PPAI-2026-000000001'],
    [' ppai-2026-1234567890 ', '/records/PPAI-2026-1234567890'],
    ['PPAI-TX-2026-000000001', '/transmissions/PPAI-TX-2026-000000001'],
    ['ppai-tx-2026-000000001\n', '/transmissions/PPAI-TX-2026-000000001'],
  ])('%j is a reference: its form names the page', (typed, path) => {
    expect(targetOf(typed)).toEqual({ kind: 'page', path });
  });

  it('an id can be that of any object', () => {
    const id = '0193f0a2-1111-7222-8333-944455556666';
    expect(targetOf(id)).toEqual({ kind: 'id', id });
    expect(targetOf(` ${id.toUpperCase()} `)).toEqual({ kind: 'id', id });
  });

  it.each(['NCR 1099', 'CHS-12345', 'INS-ALPHA', 'PPAI-2026', 'PPAI-2026-1', '<script>', 'شركة'])(
    '%j is a text that the registry has to find',
    (text) => {
      expect(targetOf(text)).toEqual({ kind: 'text', text });
    },
  );

  it('an empty or endless text leads nowhere', () => {
    expect(targetOf('  ')).toEqual({ kind: 'nothing' });
    expect(targetOf('X'.repeat(65))).toEqual({ kind: 'nothing' });
    expect(targetOf('X'.repeat(64)).kind).toBe('text');
  });
});
