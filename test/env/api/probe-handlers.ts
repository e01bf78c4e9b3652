import type { Answer } from '../../../api/http/respond.ts';
import { issueToken } from '../../../api/machine/issue-token.ts';
import type { Handlers } from '../../../api/machine/route.ts';

export interface Probe {
  readonly handlers: Handlers;
  /** What handlers were called with since the last look, oldest first. */
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

/** Handlers that only tell what reached them; tokens are real. `answer` may throw or wait. */
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
      checkCoverage: probe,
    },
    seen: () => calls.splice(0),
  };
}

const OK: Answer = { status: 200, data: { reached: true } };
