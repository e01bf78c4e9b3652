import { existsSync } from 'node:fs';
import { TRANSMISSION_STATUSES } from '../../../shared/contract/enums.ts';
import type { BatchStatus } from '../../../shared/contract/machine/transmissions/batch.ts';
import { TransportError } from '../../outcome.ts';
import type { RegistryClient } from '../../registry-client.ts';
import type { TransportOptions } from '../../transport.ts';
import { EXIT_CODES, UsageError } from '../exit-codes.ts';
import { type Console, reportOutcome } from '../report.ts';
import type { JournalHeader } from './journal/journal-lines.ts';
import { type JournalState, readJournal } from './journal/read-journal.ts';
import { describeTotals, totalsOf } from './totals.ts';

/** Somebody waits for the answer, so a registry that is away is told soon. */
const RETRIES = 1;

export interface StatusContext {
  readonly console: Console;
  readonly baseUrl: () => string;
  readonly credentials: () => { readonly clientId: string };
  readonly client: (options?: TransportOptions) => RegistryClient;
}

/** What the registry says about a batch, or why it was not asked or did not say it. */
type AtRegistry = { readonly status: BatchStatus } | { readonly reason: string };

/**
 * Shows the progress of a batch at any time, also while another process sends it: by its journal, and by the registry (D35). The
 * journal is shown even when the registry cannot be asked. Returns the exit code.
 */
export async function showStatus(
  context: StatusContext,
  journalFile: string,
  isJson: boolean,
): Promise<number> {
  const { console } = context;
  requireJournal(journalFile);
  const state = await readJournal(journalFile);
  if (!isJson) for (const line of describeJournal(state)) console.data(line);
  const answer = await askRegistry(context, state.header);
  if (isJson) console.data(JSON.stringify(jsonOf(state, answer)));
  else for (const line of describeAnswer(answer)) console.data(line);
  return EXIT_CODES.done;
}

/** Shows what the registry says about a batch of this name, for a machine without its journal. Returns the exit code. */
export async function showStatusByName(
  { console, client }: StatusContext,
  batch: string,
  isJson: boolean,
): Promise<number> {
  const outcome = await client({ retries: RETRIES }).readBatch(batch);
  if (!outcome.ok) return reportOutcome(console, outcome);
  if (isJson) console.data(JSON.stringify(outcome.data));
  else for (const line of describeAnswer({ status: outcome.data })) console.data(line);
  return EXIT_CODES.done;
}

export function requireJournal(journalFile: string): void {
  if (existsSync(journalFile)) return;
  throw new UsageError(
    `There is no journal ${journalFile}. Send the batch first, or name its journal with --journal.`,
  );
}

async function askRegistry(
  context: StatusContext,
  header: JournalHeader | undefined,
): Promise<AtRegistry> {
  if (header === undefined) return { reason: 'The batch has not begun.' };
  try {
    const other = findOther(context, header);
    if (other !== undefined) return { reason: other };
    const outcome = await context.client({ retries: RETRIES }).readBatch(header.batch);
    if (outcome.ok) return { status: outcome.data };
    if (outcome.error.code === 'NOT_FOUND') return { reason: 'It has received nothing yet.' };
    return { reason: `${outcome.status} ${outcome.error.code}: ${outcome.error.message}` };
  } catch (error) {
    if (error instanceof UsageError || error instanceof TransportError) {
      return { reason: error.message };
    }
    throw error;
  }
}

/** Another registry or client does not know the batch, or has another of its name. */
function findOther(
  { baseUrl, credentials }: StatusContext,
  header: JournalHeader,
): string | undefined {
  if (header.baseUrl !== baseUrl()) {
    return `Not asked, because the batch was sent to ${header.baseUrl}. Name it with --base-url.`;
  }
  return header.clientId === credentials().clientId
    ? undefined
    : `Not asked, because the batch was sent by the client ${header.clientId}.`;
}

function jsonOf(state: JournalState, answer: AtRegistry): object {
  const { ends, open, unsent, codes } = totalsOf(state);
  const { file = '', batch = '', baseUrl = '', total = 0 } = state.header ?? {};
  return {
    file,
    batch,
    baseUrl,
    total,
    unsent,
    ...ends,
    open,
    codes: Object.fromEntries(codes),
    registry: 'status' in answer ? answer.status : null,
    ...('reason' in answer && { registryReason: answer.reason }),
  };
}

function describeJournal(state: JournalState): string[] {
  const { file = '', batch = '', baseUrl = '', total = 0 } = state.header ?? {};
  return [
    `${file}, batch ${batch}, sent to ${baseUrl}`,
    `${total} certificates`,
    ...describeTotals(totalsOf(state)),
  ];
}

function describeAnswer(answer: AtRegistry): string[] {
  if ('reason' in answer) return [`At the registry: ${answer.reason}`];
  const { total, byStatus, byErrorCode, estimatedCompletionAt } = answer.status;
  const statuses = TRANSMISSION_STATUSES.map((status) => `${status} ${byStatus[status]}`);
  const codes = Object.entries(byErrorCode)
    .sort((one, other) => other[1] - one[1])
    .map(([code, count]) => `${code} ${count}`);
  const isInProgress = byStatus.RECEIVED + byStatus.VALIDATING > 0;
  return [
    `At the registry: received ${total}: ${statuses.join(', ')}`,
    ...(codes.length > 0 ? [`Rejected at the registry: ${codes.join(', ')}`] : []),
    ...(isInProgress
      ? [`Estimated completion of what it has received: ${estimatedCompletionAt ?? 'unknown'}`]
      : []),
  ];
}
