import type { FlagType } from '../../shared/contract/enums.ts';
import type { ErrorCode } from '../../shared/contract/errors.ts';
import type { FindingCode } from '../../shared/contract/findings.ts';
import type { TransmissionBody } from '../../shared/contract/machine/transmission.ts';

/** REFUSED: the API answers with an error, such as 409, and records nothing new. */
export type ExpectedStatus = 'ACCEPTED' | 'FLAGGED' | 'REJECTED' | 'REFUSED';

export interface Expectation {
  readonly status: ExpectedStatus;
  /** The top-level error code. */
  readonly code?: ErrorCode;
  /** Detail codes that must be among the findings. */
  readonly findings?: readonly FindingCode[];
  readonly flag?: FlagType;
  readonly isReplay?: boolean;
}

export interface SampleItem {
  /** A few words for the table, which has one row per kind. */
  readonly kind: string;
  /** The name of the demonstration client that transmits it. */
  readonly client: string;
  /** Items of wave 2 need the records of wave 1. */
  readonly wave: 1 | 2;
  readonly body: TransmissionBody;
  readonly expected: Expectation;
}
