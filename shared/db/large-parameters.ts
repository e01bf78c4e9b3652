import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { TextInPieces } from './text-in-pieces.ts';

// The database client writes all parameters of a statement as one JSON text, reads that again before it sends them, and keeps
// those of its last hundred statements. A large one goes through it by a name, which the connection replaces.

type Large = string | TextInPieces | Buffer;

/** What no value of a caller begins with. */
const PREFIX = `handed over ${randomUUID()} `;
const handedOver = new Map<string, Large>();
let named = 0;

/**
 * Runs `run` with names for the texts, and for values in the database's binary form, to be written in the statement in their
 * places. They end when it does. A text that is shorter than its name would be stands for itself.
 */
export async function handOver<Key extends string, Result>(
  values: Readonly<Record<Key, Large>>,
  run: (names: Readonly<Record<Key, string>>) => Promise<Result>,
): Promise<Result> {
  const names = Object.fromEntries(
    Object.entries<Large>(values).map(([key, value]) => {
      if (typeof value === 'string' && value.length < PREFIX.length) return [key, value];
      named += 1;
      const name = `${PREFIX}${named}`;
      handedOver.set(name, value);
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
  return parameters.map(replaced);
}

function replaced(parameter: unknown): unknown {
  if (typeof parameter !== 'string' || !parameter.startsWith(PREFIX)) return parameter;
  const value = handedOver.get(parameter);
  if (value === undefined) throw new Error('a parameter was sent after its statement had ended');
  return value;
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

/** An array of any of these as one text. */
export function arrayLiteral(values: readonly (string | number | boolean | null)[]): string {
  const json = JSON.stringify(values);
  // Without escapes the elements of the one form are those of the other; null, true and false too.
  return json.includes('\\') ? `{${values.map(elementOf).join(',')}}` : `{${json.slice(1, -1)}}`;
}

/** The same of JSON texts. They hold no control characters, so that both forms escape quotes and backslashes alone, alike. */
export function jsonArrayLiteral(texts: readonly (string | null)[]): string {
  return `{${JSON.stringify(texts).slice(1, -1)}}`;
}

function elementOf(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);
}
