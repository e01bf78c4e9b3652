import { preferenceHeaders, readPreference } from '../../../api/http/prefer.ts';

describe('the Prefer header', () => {
  it.each<[string | undefined, boolean, number | undefined]>([
    [undefined, false, undefined],
    ['', false, undefined],
    ['respond-async', true, undefined],
    ['Respond-Async', true, undefined],
    ['wait=10', false, 10],
    ['WAIT = 10', false, 10],
    ['wait="10"', false, 10],
    ['wait="1\\0"', false, 10],
    ['wait=0', false, 0],
    ['wait=31', false, 30],
    ['wait=99999999999999999999', false, 30],
    ['respond-async, wait=5', true, 5],
    ['wait=5,respond-async', true, 5],
    ['respond-async; wait=5', true, undefined],
    ['foo; bar="a, wait=9", respond-async', true, undefined],
    ['foo="a\\", wait=9", wait=3', false, 3],
    ['wait=3, wait=9', false, 3],
    ['wait=-1', false, undefined],
    ['wait=1.5', false, undefined],
    ['wait=soon, wait=4', false, 4],
    ['wait', false, undefined],
    ['wait=', false, undefined],
    ['respond-async="no"', true, undefined],
    ['return=minimal, handling=lenient', false, undefined],
    [',,, wait=7 ,,', false, 7],
    ['"odd", wait=7', false, 7],
    ['wait="5', false, undefined],
  ])('%j means respond-async %j and wait %j', (header, respondAsync, waitSeconds) => {
    expect(readPreference(header)).toEqual({ respondAsync, waitSeconds });
  });

  it('is read in linear time', () => {
    // Milliseconds; with quadratic time it would take days.
    readPreference('a="'.repeat(1_000_000));
    readPreference(`${'a;'.repeat(1_000_000)}"`);
    readPreference(`${'a '.repeat(1_000_000)}"`);
  });
});

describe('Preference-Applied', () => {
  it('names the applied preferences, and is absent without any', () => {
    expect(preferenceHeaders({ respondAsync: true, waitSeconds: 5 })).toEqual({
      'Preference-Applied': 'respond-async, wait=5',
    });
    expect(preferenceHeaders({ respondAsync: false, waitSeconds: 0 })).toEqual({
      'Preference-Applied': 'wait=0',
    });
    expect(preferenceHeaders({ respondAsync: false, waitSeconds: undefined })).toEqual({});
  });
});
