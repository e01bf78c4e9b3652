import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import type { BatchItem, BatchSource } from '../input/batch-source.ts';
import { requireUniqueIds } from '../input/unique-ids.ts';
import { isVerdict, type JournalHeader, type Named } from './journal/journal-lines.ts';
import { type JournalEntry, type JournalState, shortHash } from './journal/read-journal.ts';

/** What happens to a certificate of the file. */
export type Step =
  /** Its outcome is known. */
  | { readonly kind: 'settled' }
  /** The registry has received it; its outcome is read. */
  | { readonly kind: 'collect'; readonly named: Named; readonly body: TransmissionBody }
  /** It is sent, perhaps again. */
  | { readonly kind: 'send'; readonly named: Named; readonly body: TransmissionBody }
  /** Its content has changed, but the registry has recorded another one under its id, and has perhaps accepted that. */
  | { readonly kind: 'changed'; readonly named: Named; readonly isInForce: boolean };

export interface StepOptions {
  /** Send changed certificates as `<id>.r2`, `<id>.r3` … */
  readonly renewIds: boolean;
  /** Send rejected certificates again, also as `<id>.r2`. */
  readonly retryRejected: boolean;
}

/** How a certificate of the file is named to its reader. */
export function nameOf({ body, line }: BatchItem) {
  return {
    id: body.externalTransactionId,
    line,
    policy: textOf(body.policy?.policyNumber),
    coc: textOf(body.certificate?.cocNumber),
    plate: textOf(body.vehicles?.[0]?.plateNumber),
  };
}

export function stepOf(
  item: BatchItem,
  state: JournalState,
  { renewIds, retryRejected }: StepOptions,
): Step {
  const { body } = item;
  const id = body.externalTransactionId;
  const entry = state.entries.get(id);
  if (entry !== undefined && !('bodyHash' in entry)) return { kind: 'settled' };
  const bodySha256 = hashOf(body);
  const named = { ...nameOf(item), sentId: entry?.sentId ?? id, bodySha256 };
  const transmission = (kind: 'send' | 'collect', sentId: string): Step => ({
    kind,
    named: { ...named, sentId },
    body: { ...body, externalTransactionId: sentId },
  });
  const send = (sentId: string) => transmission('send', sentId);
  if (entry === undefined) return send(id);
  const isChanged = entry.bodyHash !== shortHash(bodySha256);
  if (isChanged && entry.isRecorded) {
    const isInForce = entry.end === 'accepted' || entry.end === 'flagged';
    return renewIds ? send(nextId(entry, id)) : { kind: 'changed', named, isInForce };
  }
  if (isChanged) return send(entry.sentId);
  if (entry.end === null || entry.end === 'inProgress')
    return transmission('collect', entry.sentId);
  if (entry.end === 'rejected' && retryRejected) {
    return send(entry.isRecorded ? nextId(entry, id) : entry.sentId);
  }
  return isVerdict(entry.end) ? { kind: 'settled' } : send(entry.sentId);
}

/** A file may have a number, or anything else, where the registry expects a text. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `<id>.r2` after `<id>`, `<id>.r3` after `<id>.r2`. */
export function nextId({ sentId }: Pick<JournalEntry, 'sentId'>, id: string): string {
  const revision = sentId === id ? 1 : Number(sentId.slice(id.length + 2));
  return `${id}.r${revision + 1}`;
}

/** Depends on the order of members, so it is compared only with hashes of the same file. */
function hashOf(body: TransmissionBody): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

export interface FileFacts {
  readonly sha256: string;
  readonly size: number;
  /** Number of certificates. */
  readonly total: number;
}

/** Reads the whole file, so that a row that cannot be sent is reported before anything is sent. */
export async function readFileFacts(file: string, source: BatchSource): Promise<FileFacts> {
  let total = 0;
  for await (const _ of requireUniqueIds(file, source)) total += 1;
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest('hex'), size, total };
}

/**
 * Why a journal does not belong to this batch; undefined when it does. A corrected file still has certificates that the
 * journal knows, and belongs to it.
 */
export async function findMisfit(
  { header, entries }: JournalState,
  { sha256 }: FileFacts,
  source: BatchSource,
  { baseUrl, clientId }: Pick<JournalHeader, 'baseUrl' | 'clientId'>,
): Promise<string | undefined> {
  if (header === undefined) return undefined;
  if (header.baseUrl !== baseUrl) return `it was sent to ${header.baseUrl}, not to ${baseUrl}`;
  if (header.clientId !== clientId) {
    return `it was sent by the client ${header.clientId}, not by ${clientId}`;
  }
  if (header.sha256 === sha256) return undefined;
  for await (const { body } of source()) {
    if (entries.has(body.externalTransactionId)) return undefined;
  }
  return 'it is the journal of another file';
}

/** 8 to 64 of the characters that a batch name may have. */
export function batchNameOf(file: string, sha256: string): string {
  const name = basename(file)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 50);
  return `${name}.${sha256.slice(0, 12)}`;
}
