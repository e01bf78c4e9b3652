import { sqlState } from '../shared/db/prisma.ts';

const REASON_CHARACTERS_MAX = 300;

/** Data exceptions and constraint violations: their messages quote values (D22). */
const QUOTES_VALUES = /^2[23]/;

/**
 * A fault in words for the log and the staff, without the values that a message of the database may quote.
 */
export function failureReason(error: unknown): string {
  const state = sqlState(error);
  const text = error instanceof Error ? `${error.name}: ${lastLine(error.message)}` : typeof error;
  if (state === undefined) return withoutQuotes(text).slice(0, REASON_CHARACTERS_MAX);
  const safe = QUOTES_VALUES.test(state) ? withoutQuotes(text) : text;
  return `SQLSTATE ${state}: ${safe}`.slice(0, REASON_CHARACTERS_MAX);
}

function withoutQuotes(text: string): string {
  return text.replace(/"[^"]*"|'[^']*'|`[^`]*`|\([^()]*\)=\([^()]*\)/g, '…');
}

function lastLine(message: string): string {
  return message.trim().split('\n').at(-1) ?? '';
}
