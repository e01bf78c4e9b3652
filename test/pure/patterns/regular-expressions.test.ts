import { findAll, findInSource } from './regular-expressions.ts';

it('the regular expressions of the product are all found', () => {
  const patterns = findAll();
  expect(patterns.filter(({ file }) => file.endsWith('.ts')).length).toBeGreaterThan(40);
  const inSchemas = patterns.filter(({ file }) => file.startsWith('a schema'));
  expect(inSchemas.map(({ pattern }) => pattern.source)).toContain(
    /^[A-Z0-9]+(?:-[A-Z0-9]+)*$/.source,
  );
  // Groups of a fixed length in a generated code.
  expect(findInSource().made).toEqual(['shared/store/staff/sign-in/recovery-codes.ts']);
});
