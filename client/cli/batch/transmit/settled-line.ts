import type { SubmissionOutcome } from '../../../registry-client.ts';
import { endOf } from '../../../transmit-all.ts';
import type { Named, SettledLine } from '../journal/journal-lines.ts';

export function settledLineOf(named: Named, outcome: SubmissionOutcome): SettledLine {
  const { data, error, status } = outcome;
  return {
    ...named,
    type: 'settled',
    end: endOf(outcome),
    http: status,
    errorCode: error?.code ?? null,
    transmissionReference: data?.transmissionReference ?? null,
    registryReference: data !== null && 'registryReference' in data ? data.registryReference : null,
    details: (error?.details ?? [])
      .filter(({ severity }) => severity === 'ERROR')
      .map(({ code, field, message }) => ({ code, field, message })),
    at: new Date().toISOString(),
  };
}
