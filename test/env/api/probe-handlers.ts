import type { Answer } from '../../../api/http/respond.ts';
import { issueToken } from '../../../api/machine/issue-token.ts';
import type { Handlers } from '../../../api/machine/request.ts';

export interface Probe {
  readonly handlers: Handlers;
  /** Returns the calls of handlers since the last call of this, oldest first. */
  seen(): ProbeCall[];
}

export interface ProbeCall {
  readonly name: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly rawJson: unknown;
  readonly unknownFields: readonly string[];
  readonly prefer: unknown;
  readonly submitter: unknown;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** Handlers that only record their calls, except that tokens are issued. `answer` may throw or wait. */
export function makeProbe(answer: (call: ProbeCall) => Promise<Answer> | Answer = () => OK): Probe {
  const calls: ProbeCall[] = [];
  const probe = async (_context: unknown, call: ProbeCall): Promise<Answer> => {
    calls.push(call);
    return answer(call);
  };
  return {
    handlers: {
      issueToken,
      transmit: probe,
      validateTransmission: probe,
      searchRecords: probe,
      readRecord: probe,
      listRecordVersions: probe,
      readRecordVersion: probe,
      listVersionVehicles: probe,
      listRecordAmendments: probe,
      listAmendmentDiff: probe,
      listRecordTransmissions: probe,
      listRecordVehicles: probe,
      listRecordFlags: probe,
      amend: probe,
      cancel: probe,
      readTransmission: probe,
      readChanges: probe,
      listTransmissions: probe,
      lookupTransmissions: probe,
      readBatch: probe,
      checkCoverage: probe,
      readSandboxClock: probe,
      setSandboxClock: probe,
      readLimits: probe,
    },
    seen: () => calls.splice(0),
  };
}

const OK: Answer = { status: 200, data: { reached: true } };
