import {
  changesOf,
  conflictRowsOf,
  type Edited,
  rebase,
} from '../../../../console/ui/form/versioned/versioned-values.ts';

type Field = 'name' | 'limit' | 'scopes';

const READ = { name: 'Alpha', limit: '120', scopes: 'read' };
const EDITED: Edited<Field> = { version: 3, read: READ, values: { ...READ, limit: '500' } };
const LABELS = { name: 'Name', limit: 'Limit', scopes: 'Scopes' };

it('only the fields that differ from what was read are sent', () => {
  expect(changesOf(EDITED)).toEqual({ limit: '500' });
  expect(changesOf({ ...EDITED, values: READ })).toEqual({});
});

it('a field that was emptied is a change', () => {
  expect(changesOf({ ...EDITED, values: { ...READ, name: '' } })).toEqual({ name: '' });
});

it('applied to the new version, what the user did not touch stays as somebody else saved it', () => {
  const now = { version: 7, values: { ...READ, name: 'Alpha Insurance' } };
  const rebased = rebase(EDITED, now);
  expect(rebased.version).toBe(7);
  expect(rebased.values).toEqual({ name: 'Alpha Insurance', limit: '500', scopes: 'read' });
  expect(changesOf(rebased)).toEqual({ limit: '500' });
});

it('a conflict shows what either of the two changed, and nothing else', () => {
  const now = { version: 4, values: { ...READ, name: 'Alpha Insurance', limit: '240' } };
  expect(conflictRowsOf(LABELS, EDITED, now)).toEqual([
    { label: 'Name', read: 'Alpha', now: 'Alpha Insurance', yours: 'not changed' },
    { label: 'Limit', read: '120', now: '240', yours: '500' },
  ]);
});
