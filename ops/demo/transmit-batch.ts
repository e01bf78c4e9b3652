import type { RegistryClient, SubmissionOutcome } from '../../client/registry-client.ts';
import { transmitAll } from '../../client/transmit-all.ts';
import { groupBy } from '../../shared/domain/group-by.ts';
import type { ExpectedStatus, SampleItem } from './sample-item.ts';

export interface ItemOutcome {
  readonly item: SampleItem;
  readonly outcome: SubmissionOutcome;
}

export interface BatchOptions {
  readonly clients: ReadonlyMap<string, RegistryClient>;
  /** Transmissions in flight per client. */
  readonly concurrency: number;
  readonly onOutcome: (result: ItemOutcome) => void;
}

/** Transmits one wave after the other, the clients of a wave concurrently. Returns outcomes in the order of arrival. */
export async function transmitBatch(
  items: readonly SampleItem[],
  { clients, concurrency, onOutcome }: BatchOptions,
): Promise<readonly ItemOutcome[]> {
  const results: ItemOutcome[] = [];
  for (const wave of [1, 2]) {
    const byClient = groupBy(
      items.filter((item) => item.wave === wave),
      (item) => item.client,
    );
    await Promise.all(
      [...byClient].map(([name, own]) => {
        const client = clients.get(name);
        if (client === undefined) throw new Error(`There is no demonstration client ${name}.`);
        return transmitAll(
          client,
          own.map(({ body }) => body),
          {
            concurrency,
            onOutcome: (_body, outcome, index) => {
              const item = own[index];
              if (item === undefined) return;
              results.push({ item, outcome });
              onOutcome({ item, outcome });
            },
          },
        );
      }),
    );
  }
  return results;
}

export function statusOf({ data, ok }: SubmissionOutcome): ExpectedStatus | 'IN PROGRESS' {
  if (ok) return data.status === 'FLAGGED' ? 'FLAGGED' : 'ACCEPTED';
  if (data === null || !('kind' in data)) return 'REFUSED';
  return data.status === 'REJECTED' ? 'REJECTED' : 'IN PROGRESS';
}

/** Describes the difference from the expectation; undefined when there is none. */
export function findDifference({ item: { expected }, outcome }: ItemOutcome): string | undefined {
  const status = statusOf(outcome);
  const { data, error } = outcome;
  if (status !== expected.status)
    return `${status} instead of ${expected.status}${error === null ? '' : ` (${error.code}: ${error.message})`}`;
  if (expected.code !== undefined && error?.code !== expected.code)
    return `${error?.code ?? 'no error'} instead of ${expected.code}`;
  const codes = codesOf(outcome);
  const missing = expected.findings?.filter((code) => !codes.has(code)) ?? [];
  if (missing.length > 0)
    return `no finding ${missing.join(', ')}, but ${[...codes].join(', ') || 'none'}`;
  if (data === null || !('flags' in data)) return undefined;
  if (expected.flag !== undefined && !data.flags.some(({ type }) => type === expected.flag))
    return `no flag ${expected.flag}`;
  return data.replayed === (expected.isReplay ?? false)
    ? undefined
    : `replayed is ${data.replayed}`;
}

/** The codes of all findings and flags, the most severe first. */
export function codesOf({ data, error }: SubmissionOutcome): ReadonlySet<string> {
  const acknowledged = data !== null && 'kind' in data ? data : undefined;
  return new Set([
    ...(error?.details ?? []).map(({ code }) => code),
    ...(acknowledged?.errors ?? []).map(({ code }) => code),
    ...(acknowledged?.flags ?? []).map(({ type }) => type),
    ...(acknowledged?.warnings ?? []).map(({ code }) => code),
  ]);
}
