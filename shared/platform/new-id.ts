import { randomFillSync } from 'node:crypto';

/** A UUID of version 7 without its digits: two fields of time, then random ones (RFC 9562). */
const TEMPLATE = '00000000-0000-7000-8000-000000000000';
const VERSION_AT = 14;
const VARIANT_AT = 19;
/** Where its random digits stand, but for the one that tells the variant. */
const RANDOM_AT = Array.from(TEMPLATE, (digit, at) => ({ digit, at }))
  .filter(({ digit, at }) => digit === '0' && at > VERSION_AT)
  .map(({ at }) => at);
const DIGITS = Buffer.from('0123456789abcdef');
const TIME_DIGITS = 12;
const TIME_DIGITS_FIRST = 8;
/** A byte for each random digit, for so many ids at a time. */
const BYTES_OF_AN_ID = RANDOM_AT.length + 1;
const IDS_AT_A_TIME = 256;

// Written digit by digit into one buffer: of a text of many small ones most would be garbage.
const text = Buffer.from(TEMPLATE);
const random = Buffer.alloc(BYTES_OF_AN_ID * IDS_AT_A_TIME);
let used = random.length;
let millisecond = -1;

/**
 * The id of a new row: a UUID of version 7, milliseconds since 1970 before 74 random bits. Rows that are made
 * one after the other lie side by side in an index over their ids, so that in a grown registry they change the same page
 * and not one anywhere. It tells when it was made: it opens nothing by itself.
 */
export function newId(): string {
  writeTime(Date.now());
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  text[VARIANT_AT] = digitOf(0b1000 | (nextByte() & 0b11));
  for (const at of RANDOM_AT) text[at] = digitOf(nextByte());
  return text.toString('latin1');
}

function nextByte(): number {
  used += 1;
  return random[used - 1] ?? 0;
}

function digitOf(byte: number): number {
  return DIGITS[byte & 0b1111] ?? 0;
}

function writeTime(now: number): void {
  if (now === millisecond) return;
  millisecond = now;
  const digits = now.toString(16).padStart(TIME_DIGITS, '0');
  text.write(digits.slice(0, TIME_DIGITS_FIRST), 'latin1');
  text.write(digits.slice(TIME_DIGITS_FIRST), TIME_DIGITS_FIRST + 1, 'latin1');
}
