import { z } from 'zod';
import { AppError } from '../../../shared/contract/errors.ts';
import { type Finding, makeFinding } from '../../../shared/contract/findings.ts';
import { type PathPart, pathOf } from './field-path.ts';
import { messageOf } from './schema-messages.ts';

export const SCHEMA_FINDINGS_MAX = 500;
export const UNKNOWN_FIELDS_MAX = 100;

/** A body, query or form that breaks type, length or enum: VALIDATION_FAILED with every finding, nothing recorded (D6). */
export function makeSchemaError(
  findings: readonly Finding[],
  reason = 'the request breaks the schema',
): AppError {
  return new AppError('VALIDATION_FAILED', reason, {
    details: findings.slice(0, SCHEMA_FINDINGS_MAX),
  });
}

/** A value with the members that the schema knows, or why there is none. */
export type Checked<Value> =
  | { readonly value: Value; readonly findings?: never }
  | { readonly value?: never; readonly findings: readonly Finding[] };

/** The findings of all, so that none hides another; none when every part has a value. */
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
  // What a strict schema does not know is found by its path.
  const issues = (parsed.error?.issues ?? []).filter(({ code }) => code !== 'unrecognized_keys');
  const findings = issues.map(findingOf);
  const fields = new Set(findings.map(({ field }) => field));
  return { findings: [...findings, ...known.filter(({ field }) => !fields.has(field))] };
}

/** Checks of ours name another code than INVALID_FORMAT in their parameters. */
function findingOf(issue: z.core.$ZodIssue): Finding {
  const isRange = issue.code === 'custom' && issue.params?.['code'] === 'INVALID_DATE_RANGE';
  const code = isRange ? 'INVALID_DATE_RANGE' : 'INVALID_FORMAT';
  return makeFinding(code, pathOf(issue.path), issue.message);
}

/** A number that was read as another one must not pass for the one that was sent (D32). */
function inexactFinding(path: readonly PathPart[]): Finding {
  const message = 'The number has too many digits to be kept exactly as it was sent.';
  return makeFinding('INVALID_FORMAT', pathOf(path), message);
}

export interface Members {
  /** With the members that the schema knows. */
  readonly body: unknown;
  readonly unknownFields: readonly string[];
}

/** Of a machine's body; unknown members are left out (D6). The findings are in the order of the schema. */
export function checkMembers(
  schema: z.ZodObject,
  sent: unknown,
  inexactNumbers: readonly (readonly PathPart[])[] = [],
): Checked<Members> {
  const checked = checkSchema(schema, sent, inexactNumbers);
  if (checked.findings !== undefined) return checked;
  return { value: { body: checked.value, unknownFields: findUnknownFields(schema, sent) } };
}

/** Of the staff's body: an unknown member is a mistake that must not pass for a change that was made. */
export function checkExactly(
  schema: z.ZodObject,
  sent: unknown,
  inexactNumbers: readonly (readonly PathPart[])[] = [],
): Checked<unknown> {
  const checked = checkSchema(schema, sent, inexactNumbers);
  const unknown = findUnknownFields(schema, sent).map((field) =>
    refusedAsUnknown(field, 'Nothing of this name is known here.'),
  );
  return unknown.length === 0 ? checked : { findings: [...(checked.findings ?? []), ...unknown] };
}

/** The parameters of a query; one that is not known could have been meant to narrow the answer (D47). */
export function checkQuery(
  schema: z.ZodObject | undefined,
  sent: Checked<Readonly<Record<string, string>>>,
): Checked<unknown> {
  if (sent.value === undefined) return sent;
  const known = Object.keys(schema?.shape ?? {});
  const unknown = Object.keys(sent.value).filter((name) => !known.includes(name));
  const message =
    known.length === 0
      ? 'No query parameters are taken here.'
      : `There is no such query parameter here; known are ${known.join(', ')}.`;
  const findings = unknown
    .slice(0, UNKNOWN_FIELDS_MAX)
    .map((name) => refusedAsUnknown(pathOf([name]), message));
  const checked = schema === undefined ? NO_QUERY : checkSchema(schema, sent.value);
  return findings.length === 0 ? checked : { findings: [...(checked.findings ?? []), ...findings] };
}

const NO_QUERY: Checked<undefined> = { value: undefined };

/** An ERROR, since it refuses the request; in a transmission an unknown member only warns (D6). */
function refusedAsUnknown(field: string | null, message: string): Finding {
  return { ...makeFinding('UNKNOWN_FIELD', field, message), severity: 'ERROR' };
}

/** Paths of the members that the schema doesn't know, at most UNKNOWN_FIELDS_MAX (D6). */
export function findUnknownFields(schema: z.ZodType, value: unknown): string[] {
  const found: string[] = [];
  if (typeof value === 'object' && value !== null) collectUnknown(schema, value, [], found);
  return found;
}

/** Goes as deep as the schema does. `path` is shared by all calls and restored by each. */
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

/** Whether the schema knows a number at this place. */
function isNumber(schema: z.core.$ZodType, [part, ...rest]: readonly PathPart[]): boolean {
  if (part === undefined) return unwrapped(schema) instanceof z.ZodNumber;
  const { element, members } = structureOf(schema);
  const inner = typeof part === 'number' ? element : memberOf(members, part);
  return inner !== undefined && isNumber(inner, rest);
}
