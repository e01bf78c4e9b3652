import { setTimeout as sleep } from 'node:timers/promises';
import { TransportError } from '../../client/outcome.ts';
import type { RegistryClient, SubmissionOutcome } from '../../client/registry-client.ts';
import { isTerminal } from '../../shared/contract/enums.ts';
import type { Acknowledgment } from '../../shared/contract/machine/acknowledgment.ts';
import type { AmendmentBody } from '../../shared/contract/machine/amendment.ts';
import type { CancellationBody } from '../../shared/contract/machine/cancellation.ts';
import type { TransmissionBody } from '../../shared/contract/machine/transmission.ts';
import type { ClientName } from './world.ts';

export type Submission =
  | { readonly kind: 'CREATE'; readonly body: TransmissionBody }
  | { readonly kind: 'AMEND'; readonly target: string; readonly body: AmendmentBody }
  | { readonly kind: 'CANCEL'; readonly target: string; readonly body: CancellationBody };

/** One request by its key, and what was answered to it. */
export interface Entry {
  readonly clientName: ClientName;
  readonly submission: Submission;
  /** From the first 2xx, or 409 in progress, or rejection on. */
  reference?: string;
  /** The first terminal acknowledgment, as of a request that is no replay. */
  settled?: Acknowledgment;
}

/** Keeps the score of one round: what was promised, and what was answered that must not be. */
export interface Book {
  readonly entries: Entry[];
  readonly flaws: string[];
}

export function externalIdOf({ submission }: Entry): string {
  return submission.body.externalTransactionId;
}

export interface Courier {
  client(name: ClientName): RegistryClient;
}

const ACKNOWLEDGED_MS_MAX = 60_000;
const SETTLED_MS_MAX = 60_000;
const PAUSE_MS = 200;
const LOOK_SECONDS = 5;

/** Sends until the registry takes it over; repeats while it is in trouble. False when it never did. */
export async function deliver(
  { client }: Courier,
  book: Book,
  entry: Entry,
  waitSeconds: number,
): Promise<boolean> {
  const endsAt = Date.now() + ACKNOWLEDGED_MS_MAX;
  let last = 'no answer';
  while (Date.now() < endsAt) {
    const outcome = await answerOf(() => submit(client(entry.clientName), entry, waitSeconds));
    if (outcome !== undefined) {
      last = `${outcome.status} ${outcome.error?.code}`;
      if (outcome.data !== null) {
        note(book, entry, outcome);
        return true;
      }
      // Signed before the nonces were lost, it is refused (D19) and must be signed anew.
      const isPassing = outcome.status >= 500 || outcome.error?.code === 'TIMESTAMP_OUT_OF_RANGE';
      if (!isPassing) {
        book.flaws.push(`${externalIdOf(entry)} was answered ${last}: ${outcome.error?.message}`);
        return false;
      }
    }
    await sleep(PAUSE_MS);
  }
  book.flaws.push(`${externalIdOf(entry)} was not taken over within the time (${last})`);
  return false;
}

/** Looks until the outcome is known. Undefined when it is not within the time. */
export async function follow(
  { client }: Courier,
  book: Book,
  entry: Entry,
): Promise<Acknowledgment | undefined> {
  const endsAt = Date.now() + SETTLED_MS_MAX;
  while (entry.settled === undefined && Date.now() < endsAt) {
    const { reference } = entry;
    if (reference === undefined) return undefined;
    const outcome = await answerOf(() =>
      client(entry.clientName).readTransmission(reference, { waitSeconds: LOOK_SECONDS }),
    );
    if (outcome?.ok === true) note(book, entry, outcome);
    else await sleep(PAUSE_MS);
  }
  return entry.settled;
}

/** What the registry answers to the very same request once more. */
export function submit(
  client: RegistryClient,
  { submission }: Entry,
  waitSeconds: number,
): Promise<SubmissionOutcome> {
  switch (submission.kind) {
    case 'CREATE':
      return client.transmit(submission.body, { waitSeconds });
    case 'AMEND':
      return client.amend(submission.target, submission.body, { waitSeconds });
    case 'CANCEL':
      return client.cancel(submission.target, submission.body, { waitSeconds });
  }
}

/** Undefined for what got no answer. */
export async function answerOf<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return undefined;
  }
}

function note(
  book: Book,
  entry: Entry,
  { data }: { readonly data: SubmissionOutcome['data'] },
): void {
  if (data === null) return;
  const { transmissionReference } = data;
  if (entry.reference !== undefined && entry.reference !== transmissionReference) {
    book.flaws.push(
      `${externalIdOf(entry)} has two references: ${entry.reference}, ${transmissionReference}`,
    );
  }
  entry.reference = transmissionReference;
  if ('externalTransactionId' in data && isTerminal(data.status)) {
    entry.settled ??= { ...data, replayed: false };
  }
}
