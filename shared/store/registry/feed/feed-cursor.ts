import { hash } from 'node:crypto';
import type { Viewer } from '../../intake/transmissions.ts';
import type { FeedPosition } from './scan-changes.ts';

/** A cursor that a caller sent, not yet compared with the caller's feed. */
export interface ReadCursor {
  readonly feed: string;
  readonly position: FeedPosition;
}

/** The largest transaction id and sequence number that PostgreSQL can read. */
const XID_MAX = 2n ** 64n - 1n;
const SEQ_MAX = 2n ** 63n - 1n;
const DIGITS = /^(?:0|[1-9]\d{0,19})$/;
const FEED = /^[0-9a-f]{32}$/;

/** Opaque to callers: base64url of the feed's id, the transaction id and the sequence number (D37). */
export function writeCursor(feed: string, { xid, seq }: FeedPosition): string {
  const parts = [feed, String(xid), String(seq)];
  return Buffer.from(JSON.stringify(parts), 'utf8').toString('base64url');
}

/** Undefined when the text is not a cursor of any feed. */
export function readCursor(text: string): ReadCursor | undefined {
  const parts = parseJson(Buffer.from(text, 'base64url').toString('utf8'));
  if (!Array.isArray(parts) || parts.length !== 3) return undefined;
  const [feed, xid, seq] = parts as unknown[];
  if (typeof feed !== 'string' || !FEED.test(feed)) return undefined;
  if (typeof xid !== 'string' || !DIGITS.test(xid) || BigInt(xid) > XID_MAX) return undefined;
  if (typeof seq !== 'string' || !DIGITS.test(seq) || BigInt(seq) > SEQ_MAX) return undefined;
  return { feed, position: { xid: BigInt(xid), seq: BigInt(seq) } };
}

/** The id of an organization's feed. It changes with the epoch, so cursors of before a restore and of others do not match. */
export function feedIdOf({ organizationId }: Viewer, epoch: string): string {
  return hash('sha256', `${epoch}/${organizationId}`, 'hex').slice(0, 32);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
