import { z } from 'zod';
import { AppError } from '../../shared/contract/errors.ts';
import { type Finding, makeFinding } from '../../shared/contract/findings.ts';
import { inCanonicalOrder } from './canonical-order.ts';
import { type PathPart, pathOf } from './field-path.ts';

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

/** The value with the members the schema knows. @throws {AppError} VALIDATION_FAILED */
export function demandSchema<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw makeSchemaError(
    parsed.error.issues.map((issue) =>
      makeFinding('INVALID_FORMAT', pathOf(issue.path), messageOf(issue)),
    ),
  );
}

export interface Members {
  /** With the members that the schema knows. */
  readonly body: unknown;
  readonly unknownFields: readonly string[];
  /** The JSON text of `body` is the RFC 8785 form of what was sent. */
  readonly isCanonical: boolean;
}

/** @throws {AppError} VALIDATION_FAILED, with findings in the order of the schema. */
export function demandMembers(schema: z.ZodObject, sent: unknown): Members {
  const ordered = inCanonicalOrder(schema);
  const read = ordered?.safeParse(sent);
  const body = read?.success ? read.data : demandSchema(schema, sent);
  const unknownFields = findUnknownFields(schema, sent);
  return { body, unknownFields, isCanonical: ordered !== undefined && unknownFields.length === 0 };
}

/** Paths of the members that the schema doesn't know, at most UNKNOWN_FIELDS_MAX (D6). */
export function findUnknownFields(schema: z.ZodType, value: unknown): string[] {
  const found: string[] = [];
  if (typeof value === 'object' && value !== null) collectUnknown(schema, value, [], found);
  return found;
}

/** Goes as deep as the schema does. Of the hundreds of vehicles none gets a path of its own: there is one, which is as it was afterwards. */
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
      const known = members.get(name);
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

/** What a schema knows of a value: the elements of an array or the members of an object. */
interface Structure {
  readonly element?: z.core.$ZodType;
  readonly members?: ReadonlyMap<string, z.core.$ZodType>;
}

const structures = new WeakMap<z.core.$ZodType, Structure>();

function structureOf(schema: z.core.$ZodType): Structure {
  const known = structures.get(schema);
  if (known !== undefined) return known;
  const inner = unwrapped(schema);
  const structure =
    inner instanceof z.ZodArray
      ? { element: inner.element }
      : inner instanceof z.ZodObject
        ? { members: new Map<string, z.core.$ZodType>(Object.entries(inner.shape)) }
        : {};
  structures.set(schema, structure);
  return structure;
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}

/** Says what was expected, never what came. */
function messageOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `Expected ${articleOf(issue.expected)}.`;
    case 'too_big':
      return `At most ${issue.maximum}${unitOf(issue.origin)}.`;
    case 'too_small':
      return `At least ${issue.minimum}${unitOf(issue.origin)}.`;
    case 'invalid_value':
      return `Expected ${issue.values.map(String).join(', ')}.`;
    case 'invalid_format':
      return FORMAT_MESSAGES[issue.format] ?? `Expected ${issue.message}.`;
    default:
      return 'This value is not accepted.';
  }
}

const FORMAT_MESSAGES: Readonly<Record<string, string>> = {
  date: 'Expected a calendar date, YYYY-MM-DD.',
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
};

function articleOf(expected: string): string {
  return TYPE_NAMES[expected] ?? expected;
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' elements' : '';
}
