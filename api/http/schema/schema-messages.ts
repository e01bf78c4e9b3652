import type { z } from 'zod';

/** The message where a schema has none. It states what was expected and never contains the value. */
export function messageOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `Expected ${TYPE_NAMES[issue.expected] ?? issue.expected}.`;
    case 'too_big':
      return `At most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}.`;
    case 'too_small':
      return `At least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}.`;
    case 'invalid_value':
      return `Expected ${anyOf(issue.values.map(String))}.`;
    case 'invalid_format':
      return `Expected ${FORMAT_NAMES[issue.format] ?? 'another format'}.`;
    default:
      return 'This value is not accepted.';
  }
}

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  date: 'a calendar date, YYYY-MM-DD',
  datetime: 'a date and time with an offset or Z, such as 2026-01-31T08:00:00+08:00',
  email: 'an e-mail address',
  guid: 'a UUID',
  uuid: 'a UUID',
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  record: 'an object',
};

function anyOf(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}

function unitOf(origin: string, count: number | bigint): string {
  const unit = UNITS[origin];
  if (unit === undefined) return '';
  return Number(count) === 1 ? ` ${unit}` : ` ${unit}s`;
}

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'element' };
