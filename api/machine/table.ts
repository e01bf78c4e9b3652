import { amend } from './amend.ts';
import { cancel } from './cancel.ts';
import { checkCoverage } from './check-coverage.ts';
import { issueToken } from './issue-token.ts';
import { RECORD_HANDLERS } from './read-record.ts';
import { readTransmission } from './read-transmission.ts';
import type { Handlers } from './route.ts';
import { searchRecords } from './search-records.ts';
import { transmit } from './transmit.ts';

/** Every endpoint of the table that is not public. */
export const HANDLERS: Handlers = {
  issueToken,
  transmit,
  searchRecords,
  ...RECORD_HANDLERS,
  amend,
  cancel,
  readTransmission,
  checkCoverage,
};
