import { UsageError } from '../exit-codes.ts';
import type { BatchSource } from '../input/batch-source.ts';
import type { Journal } from './journal/journal.ts';
import type { Named } from './journal/journal-lines.ts';
import { type JournalState, keepOutcome } from './journal/read-journal.ts';
import { type Step, type StepOptions, stepOf } from './plan.ts';

/** What is to be done about the certificates of a file. */
export interface Survey {
  /** Number of certificates that are sent, or whose outcome is read. */
  readonly left: number;
  /** Certificates that have changed under the id of a recorded transmission. */
  readonly changed: readonly Extract<Step, { kind: 'changed' }>[];
  /** Certificates that are sent under another id than that of the file, by that id. */
  readonly renewed: ReadonlyMap<string, Named>;
  /** The ids that the journal knows and the file does not have. */
  readonly removed: ReadonlySet<string>;
}

export async function survey(
  source: BatchSource,
  state: JournalState,
  options: StepOptions,
): Promise<Survey> {
  let left = 0;
  const changed: Extract<Step, { kind: 'changed' }>[] = [];
  const renewed = new Map<string, Named>();
  const removed = new Set(state.entries.keys());
  for await (const item of source()) {
    const id = item.body.externalTransactionId;
    removed.delete(id);
    const step = stepOf(item, state, options);
    if (step.kind === 'settled') {
      keepOutcome(state, id);
      continue;
    }
    left += 1;
    if (step.kind === 'changed') changed.push(step);
    else if (step.named.sentId !== id) renewed.set(step.named.sentId, step.named);
  }
  return { left, changed, renewed, removed };
}

/** Throws UsageError when a certificate of the file has the id under which another one is sent: the registry would take only one. */
export async function requireUniqueSentIds(
  source: BatchSource,
  renewed: ReadonlyMap<string, Named>,
): Promise<void> {
  if (renewed.size === 0) return;
  for await (const { body, line } of source()) {
    const id = body.externalTransactionId;
    const other = renewed.get(id);
    if (other === undefined) continue;
    throw new UsageError(
      `Line ${other.line}: ${other.id} would be sent as ${id}, which is the externalTransactionId of line ${line}. Nothing was sent: give one of them another id.`,
    );
  }
}

/** Notes in the journal which certificates the file no longer has, so that they do not count. */
export async function recordRemoved(journal: Journal, removed: ReadonlySet<string>): Promise<void> {
  const lines = [...removed]
    .filter((id) => !journal.state.removed.has(id))
    .map((id) => ({ type: 'removed' as const, id }));
  if (lines.length > 0) await journal.append(...lines);
}
