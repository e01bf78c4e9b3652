import { type Finding, makeFinding } from '../../contract/findings.ts';

/** Members that the schema does not know are reported, not registered (D6). */
export function unknownFieldFindings(paths: readonly string[]): Finding[] {
  return paths.map((path) =>
    makeFinding(
      'UNKNOWN_FIELD',
      path,
      'No member of this name is known here; it was ignored. Check its spelling and its place.',
    ),
  );
}
