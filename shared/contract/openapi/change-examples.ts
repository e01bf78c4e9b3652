import type { ChangesPage } from '../machine/changes.ts';

export const CHANGES_EXAMPLE: ChangesPage = {
  items: [
    {
      cursor: 'WyI5YjNlNGY3YTFjMmQ1ZTYwODQ3MWEyYjNjNGQ1ZTZmNyIsIjE4MjQiLCI0NyJd',
      type: 'TRANSMISSION_COMPLETED',
      kind: 'CREATE',
      status: 'ACCEPTED',
      errorCode: null,
      transmissionReference: 'PPAI-TX-2026-000000123',
      externalTransactionId: 'ALPHA-2026-000123',
      transmittingOrg: 'INS-ALPHA',
      registryReference: 'PPAI-2026-000000097',
      version: 1,
      lifecycle: 'CURRENT',
      at: '2026-10-01T02:03:05.012Z',
    },
  ],
  next: 'WyI5YjNlNGY3YTFjMmQ1ZTYwODQ3MWEyYjNjNGQ1ZTZmNyIsIjE4MjUiLCIwIl0',
  caughtUp: true,
  highWaterMark: '2026-10-01T02:03:06.123Z',
};
