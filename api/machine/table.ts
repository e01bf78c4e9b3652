import { amend } from './amend.ts';
import { cancel } from './cancel.ts';
import { checkCoverage } from './check-coverage.ts';
import { readChanges } from './feed/read-changes.ts';
import { issueToken } from './issue-token.ts';
import { readLimits } from './read-limits.ts';
import { RECORD_HANDLERS } from './read-record.ts';
import { readTransmission } from './read-transmission.ts';
import type { Handlers } from './request.ts';
import { readSandboxClock, setSandboxClock } from './sandbox/clock.ts';
import { searchRecords } from './search-records.ts';
import { listTransmissions } from './transmissions/list-transmissions.ts';
import { lookupTransmissions } from './transmissions/lookup-transmissions.ts';
import { readBatch } from './transmissions/read-batch.ts';
import { transmit } from './transmit.ts';
import { validateTransmission } from './validation/validate-transmission.ts';

/** Every endpoint of the table that is not public. */
export const HANDLERS: Handlers = {
  issueToken,
  transmit,
  validateTransmission,
  searchRecords,
  ...RECORD_HANDLERS,
  amend,
  cancel,
  readTransmission,
  readChanges,
  listTransmissions,
  lookupTransmissions,
  readBatch,
  checkCoverage,
  readSandboxClock,
  setSandboxClock,
  readLimits,
};
