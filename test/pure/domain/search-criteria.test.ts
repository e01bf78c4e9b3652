import { readCriteria } from '../../../shared/domain/search-criteria.ts';

it('criteria are normalized like registered values, the most specific first', () => {
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

it('a criterion that normalizes to an empty text is absent, and without any criterion there is no search', () => {
  expect(readCriteria({ plateNumber: ' -/', cocNumber: 'COC' })).toEqual({
    identifiers: [],
    policyNumber: null,
    cocNumber: 'COC',
  });
  expect(readCriteria({})).toBeUndefined();
  expect(readCriteria({ plateNumber: '-', engineNumber: '', policyNumber: '  ' })).toBeUndefined();
});
