import { makeDiff } from '../../../../console/ui/diff/diff.ts';

const VEHICLE = { chassisNumber: 'CHS1', plateNumber: 'ABC1', make: 'Isuzu' };
const OTHER = { chassisNumber: 'CHS2', plateNumber: 'ABC2', make: null };

describe('a diff', () => {
  it('of equal values is empty, whatever the order of their members', () => {
    expect(makeDiff({ a: 1, b: { c: true } }, { b: { c: true }, a: 1 })).toEqual([]);
    expect(makeDiff(null, null)).toEqual([]);
  });

  it('names a changed member by its path', () => {
    const before = { policy: { remarks: 'old', number: 1 }, isActive: true };
    const after = { policy: { remarks: 'new', number: 1 }, isActive: false };
    expect(makeDiff(before, after)).toEqual([
      { path: 'policy.remarks', before: 'old', after: 'new' },
      { path: 'isActive', before: 'true', after: 'false' },
    ]);
  });

  it('treats an absent member, null and an empty text as nothing', () => {
    expect(makeDiff({ a: null, b: '', c: 0 }, { c: 0 })).toEqual([]);
    expect(makeDiff({ c: 0 }, { c: null })).toEqual([{ path: 'c', before: '0', after: null }]);
  });

  it('of something created or removed has a change for each member', () => {
    expect(makeDiff(null, { code: 'INS', limits: { daily: 5 } })).toEqual([
      { path: 'code', before: null, after: 'INS' },
      { path: 'limits.daily', before: null, after: '5' },
    ]);
    expect(makeDiff({ code: 'INS' }, undefined)).toEqual([
      { path: 'code', before: 'INS', after: null },
    ]);
  });

  it('finds the entries of a list by their key, wherever they are', () => {
    const before = { vehicles: [VEHICLE, OTHER] };
    const after = { vehicles: [OTHER, { ...VEHICLE, plateNumber: 'NEW1' }] };
    expect(makeDiff(before, after)).toEqual([
      { path: 'vehicles[CHS1].plateNumber', before: 'ABC1', after: 'NEW1' },
    ]);
  });

  it('shows an added or removed entry as one change without its empty members', () => {
    expect(makeDiff({ vehicles: [VEHICLE] }, { vehicles: [OTHER] })).toEqual([
      {
        path: 'vehicles[CHS1]',
        before: 'chassisNumber: CHS1\nplateNumber: ABC1\nmake: Isuzu',
        after: null,
      },
      { path: 'vehicles[CHS2]', before: null, after: 'chassisNumber: CHS2\nplateNumber: ABC2' },
    ]);
    expect(makeDiff({ vehicles: [] }, { vehicles: [OTHER] }).map(({ path }) => path)).toEqual([
      'vehicles[CHS2]',
    ]);
  });

  it('writes the members of an object inside an added entry with their path', () => {
    const added = { ...OTHER, transmitted: { plateNumber: 'abc-2' } };
    expect(makeDiff([], [added]).map(({ after }) => after)).toEqual([
      'chassisNumber: CHS2\nplateNumber: ABC2\ntransmitted.plateNumber: abc-2',
    ]);
  });

  it('compares entries by position where no member names them', () => {
    expect(makeDiff([{ n: 1 }, { n: 2 }], [{ n: 1 }, { n: 3 }])).toEqual([
      { path: '[1].n', before: '2', after: '3' },
    ]);
    const twice = [VEHICLE, VEHICLE];
    expect(makeDiff(twice, [VEHICLE, { ...VEHICLE, make: 'Hino' }])).toEqual([
      { path: '[1].make', before: 'Isuzu', after: 'Hino' },
    ]);
  });

  it('shows a list of plain values as one value', () => {
    expect(makeDiff({ types: ['A', 'B'] }, { types: ['A', 'C'] })).toEqual([
      { path: 'types', before: 'A, B', after: 'A, C' },
    ]);
  });

  it('shows a value that became an object, and one that stopped being an object', () => {
    expect(makeDiff({ a: 'text' }, { a: { b: 1 } })).toEqual([
      { path: 'a', before: 'text', after: null },
      { path: 'a.b', before: null, after: '1' },
    ]);
    expect(makeDiff({ a: { b: 1 } }, { a: 'text' })).toEqual([
      { path: 'a.b', before: '1', after: null },
      { path: 'a', before: null, after: 'text' },
    ]);
  });
});
