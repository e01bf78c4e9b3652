import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';

// The database client writes all parameters of a statement as one JSON text, reads that again before it sends them, and keeps
// those of its last hundred statements. A large one goes through it by a name, which the connection replaces.

/** What no value of a caller begins with. */
const PREFIX = `handed over ${randomUUID()} `;
const handedOver = new Map<string, string>();
let named = 0;

/** Runs `run` with names for the texts, to be written in the statement in their places. They end when it does. */
export async function handOver<Key extends string, Result>(
  texts: Readonly<Record<Key, string>>,
  run: (names: Readonly<Record<Key, string>>) => Promise<Result>,
): Promise<Result> {
  const names = Object.fromEntries(
    Object.entries<string>(texts).map(([key, text]) => {
      named += 1;
      const name = `${PREFIX}${named}`;
      handedOver.set(name, text);
      return [key, name];
    }),
  ) as Record<Key, string>;
  try {
    return await run(names);
  } finally {
    for (const name of Object.values<string>(names)) handedOver.delete(name);
  }
}

/** The parameters with what was handed over in place of its names. */
export function inPlace(parameters: readonly unknown[]): unknown[] {
  return parameters.map((parameter) => {
    if (typeof parameter !== 'string' || !parameter.startsWith(PREFIX)) return parameter;
    const text = handedOver.get(parameter);
    if (text === undefined) throw new Error('a parameter was sent after its statement had ended');
    return text;
  });
}

/** From now on every statement over the connection has what was handed over in place. */
export function replaceNames(client: Client): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const replacing = (statement: unknown, ...others: unknown[]): unknown =>
    query(
      hasParameters(statement) ? { ...statement, values: inPlace(statement.values) } : statement,
      ...others,
    );
  client.query = replacing as Client['query'];
}

function hasParameters(statement: unknown): statement is { readonly values: readonly unknown[] } {
  return (
    typeof statement === 'object' &&
    statement !== null &&
    'values' in statement &&
    Array.isArray(statement.values)
  );
}

/** An array as one text, of values that need no quotes in it: numbers, UUIDs, dates. */
export function arrayLiteral(values: readonly string[]): string {
  return `{${values.join(',')}}`;
}

/** The same of any texts. */
export function textArrayLiteral(values: readonly string[]): string {
  const quoted = /["\\]/.test(values.join(''))
    ? values.map((value) => value.replace(/["\\]/g, '\\$&'))
    : values;
  return values.length === 0 ? '{}' : `{"${quoted.join('","')}"}`;
}
