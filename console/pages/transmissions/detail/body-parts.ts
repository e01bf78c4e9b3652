/** The values of one object of a body, or the rows of one list of objects. */
export interface BodyPart {
  /** Empty for the members of the body itself. */
  readonly path: string;
  readonly values: readonly BodyValue[];
  /** Null for an object. */
  readonly rows: readonly (readonly BodyValue[])[] | null;
}

/** The path of a member within its part, and its value as text. */
export type BodyValue = readonly [name: string, text: string | null];

/** A submitted body in the parts that a person reads one after the other. The names stay those of the API. */
export function partsOf(body: object, path = ''): BodyPart[] {
  const members = Object.entries(body);
  const values = members.filter(([, value]) => !isNested(value));
  const nested = members.filter(([, value]) => isNested(value));
  const own: BodyPart[] =
    values.length === 0
      ? []
      : [{ path, values: values.map(([name, value]) => [name, textOf(value)]), rows: null }];
  return [
    ...own,
    ...nested.flatMap(([name, value]) => {
      const nestedPath = path === '' ? name : `${path}.${name}`;
      return Array.isArray(value) ? [listOf(nestedPath, value)] : partsOf(value, nestedPath);
    }),
  ];
}

/** The names of all columns that the rows have, in the order in which they first appear. */
export function columnsOf(rows: readonly (readonly BodyValue[])[]): string[] {
  return [...new Set(rows.flatMap((row) => row.map(([name]) => name)))];
}

function listOf(path: string, list: readonly unknown[]): BodyPart {
  return { path, values: [], rows: list.map((element) => flatten(element, '')) };
}

function flatten(value: unknown, path: string): BodyValue[] {
  if (!isObject(value)) return [[path, textOf(value)]];
  return Object.entries(value).flatMap(([name, member]) =>
    flatten(member, path === '' ? name : `${path}.${name}`),
  );
}

function isNested(value: unknown): value is object {
  return Array.isArray(value) ? value.some(isObject) : isObject(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
