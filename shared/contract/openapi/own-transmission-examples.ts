import type { BatchStatus } from '../machine/transmissions/batch.ts';
import type { TransmissionPage } from '../machine/transmissions/list.ts';
import type { LookupBody, LookupResult } from '../machine/transmissions/lookup.ts';
import type { TransmissionSummary } from '../machine/transmissions/summary.ts';

// The examples of lists of one's own transmissions. A test checks each example against its schema.

const BATCH = 'BATCH-2026-10-01';

const ACCEPTED: TransmissionSummary = {
  transmissionReference: 'PPAI-TX-2026-000000123',
  externalTransactionId: 'ALPHA-2026-000123',
  kind: 'CREATE',
  status: 'ACCEPTED',
  registryReference: 'PPAI-2026-000000097',
  errorCode: null,
  findings: [],
  policyNumber: 'POL-2026-000123',
  cocNumber: 'COC-2026-000123',
  batch: BATCH,
  receivedAt: '2026-10-01T02:03:04.567Z',
  completedAt: '2026-10-01T02:03:04.789Z',
};
const REJECTED: TransmissionSummary = {
  ...ACCEPTED,
  transmissionReference: 'PPAI-TX-2026-000000122',
  externalTransactionId: 'ALPHA-2026-000122',
  status: 'REJECTED',
  registryReference: null,
  errorCode: 'VALIDATION_FAILED',
  findings: [{ level: 1, code: 'REQUIRED', field: 'vehicles[0].chassisNumber' }],
};

export const TRANSMISSIONS_EXAMPLE: TransmissionPage = {
  items: [ACCEPTED, REJECTED],
  nextCursor: 'WyIyMDI2LTEwLTAxIDAyOjAzOjA0LjU2NyswMCIsIjEyMiIsIlE3TWsyTDl3VDRoMFhjRjEiXQ',
};

export const LOOKUP_EXAMPLE: LookupBody = {
  externalTransactionIds: [ACCEPTED.externalTransactionId, 'ALPHA-2026-000999'],
};

export const LOOKUP_RESULT_EXAMPLE: LookupResult = {
  items: [
    {
      externalTransactionId: ACCEPTED.externalTransactionId,
      found: true,
      transmission: ACCEPTED,
    },
    { externalTransactionId: 'ALPHA-2026-000999', found: false, transmission: null },
  ],
};

export const BATCH_EXAMPLE: BatchStatus = {
  batch: BATCH,
  total: 1_000,
  byStatus: { RECEIVED: 240, VALIDATING: 10, ACCEPTED: 720, FLAGGED: 25, REJECTED: 5 },
  byErrorCode: { VALIDATION_FAILED: 4, VEHICLE_ALREADY_INSURED: 1 },
  firstReceivedAt: '2026-10-01T02:03:04.567Z',
  lastCompletedAt: '2026-10-01T02:03:09.012Z',
  estimatedCompletionAt: '2026-10-01T02:03:11.000Z',
};
