import { setTimeout as sleep } from 'node:timers/promises';
import { isTerminal } from '../shared/contract/enums.ts';
import { ERRORS } from '../shared/contract/errors.ts';
import type { Acknowledgment } from '../shared/contract/machine/acknowledgment.ts';
import { rejectionCode } from '../shared/contract/machine/rejection.ts';
import type { Answered, Outcome } from './outcome.ts';
import type { RegistryClient, SubmissionOutcome } from './registry-client.ts';

/** The longest wait that the registry grants (D3). */
export const WAIT_MAX_SECONDS = 30;
const PAUSE_MIN_MS = 200;

export interface Deadline {
  /** In the time of Date.now(). */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Polls until the transmission is ACCEPTED or FLAGGED (`ok`) or REJECTED (422, with the code of its findings). The outcome may
 * already be in `first`, also when that is a replay. After the deadline the error is TRANSMISSION_IN_PROGRESS with the last
 * acknowledgment as `data`; the registry still processes the transmission.
 */
export async function followUntilSettled(
  first: SubmissionOutcome,
  readTransmission: RegistryClient['readTransmission'],
  { deadlineMs, signal }: Deadline,
): Promise<SubmissionOutcome> {
  let latest: SubmissionOutcome = first;
  for (;;) {
    const reference = referenceInProgress(latest);
    if (reference === undefined) return verdictOf(latest);
    const leftMs = deadlineMs - Date.now();
    if (leftMs <= 0) return inProgress(latest);
    const waitSeconds = Math.min(WAIT_MAX_SECONDS, Math.ceil(leftMs / 1_000));
    const requestedAtMs = Date.now();
    latest = await readTransmission(reference, { waitSeconds, signal });
    // Prevents a tight loop when the registry answers at once instead of waiting.
    if (Date.now() - requestedAtMs < PAUSE_MIN_MS) await sleep(PAUSE_MIN_MS, undefined, { signal });
  }
}

/** The reference of a transmission in progress; undefined when there is nothing to wait for. */
function referenceInProgress(outcome: SubmissionOutcome): string | undefined {
  const { data, error } = outcome;
  if (data === null || isTerminal(data.status)) return undefined;
  if (error === null || error.code === 'TRANSMISSION_IN_PROGRESS')
    return data.transmissionReference;
  return undefined;
}

function verdictOf(outcome: SubmissionOutcome): SubmissionOutcome {
  if (!outcome.ok || outcome.data.status !== 'REJECTED') return outcome;
  const { status: _, ok: __, data, ...answered } = outcome;
  const code = rejectionCode(data.errors) ?? 'VALIDATION_FAILED';
  return {
    ...answered,
    ok: false,
    status: ERRORS[code].http,
    data,
    error: { code, message: ERRORS[code].title, details: [...data.errors, ...data.warnings] },
  };
}

function inProgress(outcome: SubmissionOutcome): Outcome<never, Acknowledgment> {
  const { status, requestId, retryAfterSeconds }: Answered = outcome;
  const code = 'TRANSMISSION_IN_PROGRESS';
  const data = outcome.data !== null && 'kind' in outcome.data ? outcome.data : null;
  return {
    status,
    requestId,
    retryAfterSeconds,
    ok: false,
    data,
    error: { code, message: ERRORS[code].title },
  };
}
