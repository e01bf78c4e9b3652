import { readCriteria } from '../../../shared/domain/search-criteria.ts';

it('criteria are normalized as they are when registered, the most specific first', () => {
  expect(
    readCriteria({ plateNumber: ' ab-12 34', chassisNumber: 'ch/1_2', policyNumber: ' Pol 1 ' }),
  ).toEqual({
    identifiers: [
      { kind: 'chassisNumber', value: 'CH12' },
      { kind: 'plateNumber', value: 'AB1234' },
    ],
    policyNumber: 'Pol 1',
    cocNumber: null,
  });
});

it('what normalizes to nothing is absent, and nothing at all is no search', () => {
  expect(readCriteria({ plateNumber: ' -/', cocNumber: 'COC' })).toEqual({
    identifiers: [],
    policyNumber: null,
    cocNumber: 'COC',
  });
  expect(readCriteria({})).toBeUndefined();
  expect(readCriteria({ plateNumber: '-', engineNumber: '', policyNumber: '  ' })).toBeUndefined();
});
