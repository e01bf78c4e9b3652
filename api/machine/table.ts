import { amend } from './amend.ts';
import { cancel } from './cancel.ts';
import { checkCoverage } from './check-coverage.ts';
import { issueToken } from './issue-token.ts';
import { readRecord } from './read-record.ts';
import { readTransmission } from './read-transmission.ts';
import { HISTORY_HANDLERS } from './record-history.ts';
import type { Handlers } from './route.ts';
import { searchRecords } from './search-records.ts';
import { transmit } from './transmit.ts';

/** Every endpoint of the table that isn't public. */
export const HANDLERS: Handlers = {
  issueToken,
  transmit,
  searchRecords,
  readRecord,
  ...HISTORY_HANDLERS,
  amend,
  cancel,
  readTransmission,
  checkCoverage,
};
