import { existsSync } from 'node:fs';
import { readRawLines } from '../../input/read-text.ts';
import {
  codeOf,
  type End,
  type JournalHeader,
  JournalLine,
  type SentLine,
  type SettledLine,
} from './journal-lines.ts';

export interface JournalOutcome {
  /** Null when the registry has received it and its outcome is not known yet. */
  readonly end: End | null;
  readonly code: string | null;
}

/** What a journal says about one certificate of the file: its last line wins. */
export interface JournalEntry extends JournalOutcome {
  readonly sentId: string;
  /** The {@link shortHash} of the body that was sent. */
  readonly bodyHash: number;
  /** Whether the registry keeps it under its id, so that another body needs another id. */
  readonly isRecorded: boolean;
}

export interface JournalState {
  /** The newest header; undefined for a new journal. */
  header: JournalHeader | undefined;
  /** By the externalTransactionId in the file. After {@link keepOutcome} only the outcome is left. */
  readonly entries: Map<string, JournalEntry | JournalOutcome>;
  /** The entries of certificates that the newest file does not have. They do not count. */
  readonly removed: Set<string>;
  /** The outcomes that entries share: a hundred thousand certificates have only a few different ones. */
  readonly outcomes: Map<string, JournalOutcome>;
}

/** The lines of a journal. A line that an interruption cut short, or that a power failure filled with zero bytes, is ignored. */
export async function* readJournalLines(file: string): AsyncGenerator<JournalLine> {
  if (!existsSync(file)) return;
  for await (const bytes of readRawLines(file)) {
    const parsed = JournalLine.safeParse(parseJson(bytes.toString('utf8')));
    if (parsed.success) yield parsed.data;
  }
}

/** The first 48 bits of a SHA-256: a number takes a fifth of the memory. */
export function shortHash(sha256: string): number {
  return Number.parseInt(sha256.slice(0, 12), 16);
}

export async function readJournal(file: string): Promise<JournalState> {
  const state: JournalState = {
    header: undefined,
    entries: new Map(),
    removed: new Set(),
    outcomes: new Map(),
  };
  for await (const line of readJournalLines(file)) applyLine(state, line);
  return state;
}

export function applyLine(state: JournalState, line: JournalLine): void {
  applyRemoval(state.removed, line);
  if (line.type === 'header') state.header = line;
  if (line.type === 'header' || line.type === 'removed') return;
  const { id, sentId, bodySha256, transmissionReference } = line;
  state.entries.set(id, {
    // The key's own text, where they are the same: a journal may have a hundred thousand.
    sentId: sentId === id ? id : sentId,
    bodyHash: shortHash(bodySha256),
    end: line.type === 'settled' ? line.end : null,
    code: line.type === 'settled' ? codeOf(line) : null,
    isRecorded: transmissionReference !== null,
  });
}

/** Each header names a file anew, and the lines after it say which certificates that file does not have. */
function applyRemoval(removed: Set<string>, line: JournalLine): void {
  if (line.type === 'header') removed.clear();
  else if (line.type === 'removed') removed.add(line.id);
  else removed.delete(line.id);
}

/** Forgets all but the outcome of a certificate that has its verdict and so is not sent again. It saves memory. */
export function keepOutcome({ entries, outcomes }: JournalState, id: string): void {
  const entry = entries.get(id);
  if (entry === undefined) return;
  const { end, code } = entry;
  const key = `${end} ${code}`;
  const shared = outcomes.get(key) ?? { end, code };
  outcomes.set(key, shared);
  entries.set(id, shared);
}

/**
 * The newest outcome of each certificate that was sent, in the order of their lines in the journal, with one of them in memory at
 * a time. What the registry has only received is `inProgress`.
 */
export async function* readOutcomes(file: string): AsyncGenerator<SettledLine> {
  const last = new Map<string, number>();
  const removed = new Set<string>();
  let index = 0;
  for await (const line of readJournalLines(file)) {
    index += 1;
    applyRemoval(removed, line);
    if (line.type === 'sent' || line.type === 'settled') last.set(line.id, index);
  }
  index = 0;
  for await (const line of readJournalLines(file)) {
    index += 1;
    if (line.type !== 'sent' && line.type !== 'settled') continue;
    if (last.get(line.id) === index && !removed.has(line.id)) yield outcomeOf(line);
  }
}

function outcomeOf(line: SentLine | SettledLine): SettledLine {
  if (line.type === 'settled') return line;
  const unknown = { errorCode: null, registryReference: null, details: [] };
  return { ...line, ...unknown, type: 'settled', end: 'inProgress', http: 202 };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
