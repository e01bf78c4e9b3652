export interface Change {
  /** Such as `policy.remarks` and `vehicles[CHS1].plateNumber`: an entry of a list is named by its key. */
  readonly path: string;
  /** Null for nothing: a member that is absent, null, or an empty text or list. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What differs between two values, in the order of their members. Nothing for equal ones. */
export function makeDiff(before: unknown, after: unknown, path = ''): Change[] {
  const [plainBefore, plainAfter] = [before, after].map((one) => (isTree(one) ? null : one));
  return [
    ...makeChange(path, plainBefore, isTree(before) ? null : plainAfter),
    ...diffMembers(path, before, after),
    ...(isTree(before) ? makeChange(path, null, plainAfter) : []),
  ];
}

function diffMembers(path: string, before: unknown, after: unknown): Change[] {
  const [old, now] = [membersOf(before, after), membersOf(after, before)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const [one, other, memberPath] = [old.get(name), now.get(name), join(path, name)];
    // An entry that only one of two lists has is one change, however many members it has.
    return isEntry(name) && (one === undefined || other === undefined)
      ? makeChange(memberPath, one, other)
      : makeDiff(one, other, memberPath);
  });
}

function makeChange(path: string, before: unknown, after: unknown): Change[] {
  const [old, now] = [textOf(before), textOf(after)];
  return old === now ? [] : [{ path, before: old, after: now }];
}

type Members = ReadonlyMap<string, unknown>;
type Plain = Readonly<Record<string, unknown>>;

/** An object, or a list of objects. A list of plain values is one value. */
function isTree(value: unknown): boolean {
  return isObject(value) || isListOfObjects(value);
}

function isObject(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOfObjects(value: unknown): value is readonly Plain[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** The members by name, or the entries of a list by `[key]`. */
function membersOf(value: unknown, other: unknown): Members {
  if (isListOfObjects(value)) {
    const key = findKey(isListOfObjects(other) ? [value, other] : [value]);
    return new Map(value.map((one, index) => [`[${key?.(one) ?? index}]`, one]));
  }
  return isObject(value) ? new Map(Object.entries(value)) : new Map();
}

/** The members that may name an entry of a list, so that an entry which moved is still the same. */
const KEYS = ['chassisNumber', 'id', 'code', 'name', 'plateNumber'];

function findKey(lists: readonly (readonly Plain[])[]): ((entry: Plain) => string) | undefined {
  const name = KEYS.find((key) => lists.every((list) => isKey(key, list)));
  return name === undefined ? undefined : (entry) => String(entry[name]);
}

function isKey(name: string, list: readonly Plain[]): boolean {
  const values = list.map((entry) => entry[name]);
  return (
    values.every((value) => typeof value === 'string' && value !== '') &&
    new Set(values).size === list.length
  );
}

function isEntry(name: string): boolean {
  return name.startsWith('[');
}

function join(path: string, name: string): string {
  return path === '' || isEntry(name) ? `${path}${name}` : `${path}.${name}`;
}

/** A list on one line; an object with a member on each line. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (Array.isArray(value) && value.length === 0) return null;
  if (Array.isArray(value)) return value.map((one) => textOf(one) ?? '–').join(', ');
  if (isObject(value)) return linesOf(value, '').join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function linesOf(value: Plain, prefix: string): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    if (isObject(member)) return linesOf(member, `${prefix}${name}.`);
    const text = textOf(member);
    return text === null ? [] : [`${prefix}${name}: ${text}`];
  });
}
