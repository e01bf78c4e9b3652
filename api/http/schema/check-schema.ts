import { z } from 'zod';
import { AppError } from '../../../shared/contract/errors.ts';
import { type Finding, makeFinding } from '../../../shared/contract/findings.ts';
import { type PathPart, pathOf } from './field-path.ts';
import { messageOf } from './schema-messages.ts';

export const SCHEMA_FINDINGS_MAX = 500;
export const UNKNOWN_FIELDS_MAX = 100;

/** The error for a body, query or form of a wrong type, length or enum value: VALIDATION_FAILED with every finding. Nothing is recorded (D6). */
export function makeSchemaError(
  findings: readonly Finding[],
  reason = 'the request does not match the schema',
): AppError {
  return new AppError('VALIDATION_FAILED', reason, {
    details: findings.slice(0, SCHEMA_FINDINGS_MAX),
  });
}

/** The parsed value, with only the members that the schema knows, or the findings. */
export type Checked<Value> =
  | { readonly value: Value; readonly findings?: never }
  | { readonly value?: never; readonly findings: readonly Finding[] };

/** The findings of all parts together, so that a caller gets them at once. */
export function findingsOfAll(...parts: readonly Checked<unknown>[]): Finding[] {
  return parts.flatMap(({ findings = [] }) => findings);
}

export function checkSchema<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  inexactNumbers: readonly (readonly PathPart[])[] = [],
): Checked<z.output<Schema>> {
  const parsed = schema.safeParse(value, { error: messageOf });
  const known = inexactNumbers.filter((path) => isNumber(schema, path)).map(inexactFinding);
  if (parsed.success && known.length === 0) return { value: parsed.data };
  // `findUnknownFields` reports unknown members, with their paths.
  const issues = (parsed.error?.issues ?? []).filter(({ code }) => code !== 'unrecognized_keys');
  const findings = issues.map(findingOf);
  const fields = new Set(findings.map(({ field }) => field));
  return { findings: [...findings, ...known.filter(({ field }) => !fields.has(field))] };
}

/** A custom check may set INVALID_DATE_RANGE as its parameter `code`; all other issues are INVALID_FORMAT. */
function findingOf(issue: z.core.$ZodIssue): Finding {
  const isRange = issue.code === 'custom' && issue.params?.['code'] === 'INVALID_DATE_RANGE';
  const code = isRange ? 'INVALID_DATE_RANGE' : 'INVALID_FORMAT';
  return makeFinding(code, pathOf(issue.path), issue.message);
}

/** Refuses a number that JavaScript read as a different number (D32). */
function inexactFinding(path: readonly PathPart[]): Finding {
  const message = 'The number has too many digits to be stored exactly.';
  return makeFinding('INVALID_FORMAT', pathOf(path), message);
}

export interface Members {
  /** Only the members that the schema knows. */
  readonly body: unknown;
  readonly unknownFields: readonly string[];
}

/**
 * Checks the body of the machine API. Unknown members are removed (D6), or refused if the schema is strict (D47). The findings are
 * in the order of the schema.
 */
export function checkMembers(
  schema: z.ZodObject,
  sent: unknown,
  inexactNumbers: readonly (readonly PathPart[])[] = [],
): Checked<Members> {
  const check = isStrict(schema) ? checkExactly : checkSchema;
  const checked = check(schema, sent, inexactNumbers);
  if (checked.findings !== undefined) return checked;
  return { value: { body: checked.value, unknownFields: findUnknownFields(schema, sent) } };
}

/** Whether the schema permits no members besides its own. */
function isStrict(schema: z.ZodObject): boolean {
  return schema.def.catchall instanceof z.ZodNever;
}

/**
 * Checks a body that may have no unknown members, as all of the staff API may not: to ignore one would look as if the change had
 * been made.
 */
export function checkExactly(
  schema: z.ZodObject,
  sent: unknown,
  inexactNumbers: readonly (readonly PathPart[])[] = [],
): Checked<unknown> {
  const checked = checkSchema(schema, sent, inexactNumbers);
  const unknown = findUnknownFields(schema, sent).map((field) =>
    makeUnknownError(field, 'There is no such member here.'),
  );
  return unknown.length === 0 ? checked : { findings: [...(checked.findings ?? []), ...unknown] };
}

/** Checks query parameters. An unknown parameter is an error, because the caller may have meant it as a filter (D47). */
export function checkQuery(
  schema: z.ZodObject | undefined,
  sent: Checked<Readonly<Record<string, string>>>,
): Checked<unknown> {
  if (sent.value === undefined) return sent;
  const known = Object.keys(schema?.shape ?? {});
  const unknown = Object.keys(sent.value).filter((name) => !known.includes(name));
  const message =
    known.length === 0
      ? 'This endpoint has no query parameters.'
      : `This endpoint has no such query parameter; it has ${known.join(', ')}.`;
  const findings = unknown
    .slice(0, UNKNOWN_FIELDS_MAX)
    .map((name) => makeUnknownError(pathOf([name]), message));
  const checked = schema === undefined ? NO_QUERY : checkSchema(schema, sent.value);
  return findings.length === 0 ? checked : { findings: [...(checked.findings ?? []), ...findings] };
}

const NO_QUERY: Checked<undefined> = { value: undefined };

/** Severity ERROR, because it refuses the request. In a transmission an unknown member is only a warning (D6). */
function makeUnknownError(field: string | null, message: string): Finding {
  return { ...makeFinding('UNKNOWN_FIELD', field, message), severity: 'ERROR' };
}

/** Paths of the members that the schema does not know, at most UNKNOWN_FIELDS_MAX (D6). */
export function findUnknownFields(schema: z.ZodType, value: unknown): string[] {
  const found: string[] = [];
  if (typeof value === 'object' && value !== null) collectUnknown(schema, value, [], found);
  return found;
}

/** Descends only as deep as the schema. All calls share `path`, and each restores it. */
function collectUnknown(
  schema: z.core.$ZodType,
  value: object,
  path: PathPart[],
  found: string[],
): void {
  const { element, members } = structureOf(schema);
  if (element !== undefined && Array.isArray(value)) {
    for (const [index, one] of value.entries()) collectWithin(element, one, index, path, found);
  } else if (members !== undefined) {
    for (const name of Object.keys(value)) {
      const known = memberOf(members, name);
      if (known !== undefined) {
        collectWithin(known, (value as Record<string, unknown>)[name], name, path, found);
      } else if (found.length < UNKNOWN_FIELDS_MAX) {
        found.push(pathOf([...path, name]) ?? '');
      }
    }
  }
}

function collectWithin(
  schema: z.core.$ZodType,
  value: unknown,
  part: PathPart,
  path: PathPart[],
  found: string[],
): void {
  if (typeof value !== 'object' || value === null) return;
  path.push(part);
  collectUnknown(schema, value, path, found);
  path.pop();
}

function memberOf(members: Structure['members'], name: string): z.core.$ZodType | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}

/** The structure that a schema describes: the elements of an array or the members of an object. */
interface Structure {
  readonly element?: z.core.$ZodType;
  readonly members?: Readonly<Record<string, z.core.$ZodType>>;
}

function structureOf(schema: z.core.$ZodType): Structure {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray) return { element: inner.element };
  return inner instanceof z.ZodObject ? { members: inner.shape } : {};
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}

/** Whether the schema has a number at this path. */
function isNumber(schema: z.core.$ZodType, [part, ...rest]: readonly PathPart[]): boolean {
  if (part === undefined) return unwrapped(schema) instanceof z.ZodNumber;
  const { element, members } = structureOf(schema);
  const inner = typeof part === 'number' ? element : memberOf(members, part);
  return inner !== undefined && isNumber(inner, rest);
}
