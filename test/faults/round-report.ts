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

/** A submission and the answers to it. */
export interface Entry {
  readonly clientName: ClientName;
  readonly submission: Submission;
  /** Set by the first 2xx, 409 in progress, or rejection. */
  reference?: string;
  /** The first terminal acknowledgment, with `replayed` false. */
  settled?: Acknowledgment;
}

/** The submissions of one round, and the problems that were found. */
export interface RoundReport {
  readonly entries: Entry[];
  readonly problems: string[];
}

export function externalIdOf({ submission }: Entry): string {
  return submission.body.externalTransactionId;
}

export interface ClientSource {
  client(name: ClientName): RegistryClient;
}

const ACKNOWLEDGED_MS_MAX = 60_000;
const SETTLED_MS_MAX = 60_000;
const PAUSE_MS = 200;
const LOOKUP_WAIT_SECONDS = 5;

/** Sends a submission until the registry has recorded it, and retries after errors. False when it was never recorded. */
export async function deliver(
  { client }: ClientSource,
  report: RoundReport,
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
        note(report, entry, outcome);
        return true;
      }
      // After a loss of nonces, requests signed before it are refused (D19) and must be signed again.
      const isTemporary = outcome.status >= 500 || outcome.error?.code === 'TIMESTAMP_OUT_OF_RANGE';
      if (!isTemporary) {
        report.problems.push(
          `${externalIdOf(entry)} was answered ${last}: ${outcome.error?.message}`,
        );
        return false;
      }
    }
    await sleep(PAUSE_MS);
  }
  report.problems.push(`${externalIdOf(entry)} was not recorded in time (${last})`);
  return false;
}

/** Polls until the outcome is known. Undefined when it is not known in time. */
export async function follow(
  { client }: ClientSource,
  report: RoundReport,
  entry: Entry,
): Promise<Acknowledgment | undefined> {
  const endsAt = Date.now() + SETTLED_MS_MAX;
  while (entry.settled === undefined && Date.now() < endsAt) {
    const { reference } = entry;
    if (reference === undefined) return undefined;
    const outcome = await answerOf(() =>
      client(entry.clientName).readTransmission(reference, { waitSeconds: LOOKUP_WAIT_SECONDS }),
    );
    if (outcome?.ok === true) note(report, entry, outcome);
    else await sleep(PAUSE_MS);
  }
  return entry.settled;
}

/** Sends a submission; sending the same one again is a replay. */
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

/** Undefined when there was no answer. */
export async function answerOf<Answer>(send: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return undefined;
  }
}

function note(
  report: RoundReport,
  entry: Entry,
  { data }: { readonly data: SubmissionOutcome['data'] },
): void {
  if (data === null) return;
  const { transmissionReference } = data;
  if (entry.reference !== undefined && entry.reference !== transmissionReference) {
    report.problems.push(
      `${externalIdOf(entry)} has two references: ${entry.reference}, ${transmissionReference}`,
    );
  }
  entry.reference = transmissionReference;
  if ('externalTransactionId' in data && isTerminal(data.status)) {
    entry.settled ??= { ...data, replayed: false };
  }
}
