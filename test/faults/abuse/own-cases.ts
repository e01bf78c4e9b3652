import { ENDPOINTS } from '../../../shared/contract/machine/endpoints.ts';
import type { LookupBody } from '../../../shared/contract/machine/transmissions/lookup.ts';
import { uniqueNumber } from '../../env/api/bodies.ts';
import type { Random } from '../random.ts';
import { DATES } from './poison.ts';

// Queries and bodies of the endpoints about one's own transmissions and changes (D35 to D37).

export interface QueryGrammar {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

export const PAGE_VALUES = [
  '0',
  '-1',
  '1e3',
  '1.5',
  '501',
  '9007199254740993',
  '2147483648',
  '1000000',
  '1_0',
];

const FEED = '0'.repeat(32);
/** Parts of cursors: those of another list, of another feed, and ones that no database can read. */
const CURSORS = [
  [],
  ['1'],
  [1, 2, 3],
  [null, null, null],
  ['2026-01-01 00:00:00+00', '1', 'x'.repeat(16)],
  ['2026-02-30 00:00:00+00', '1', 'x'.repeat(16)],
  ['999999-12-31 23:59:59.999999+15:59', '999999999999999999', ''],
  ['\ud800', 'a\u0000b', ''],
  [FEED, '0', '0'],
  [FEED, '18446744073709551615', '9223372036854775807'],
  [FEED, '18446744073709551616', '1'],
  [FEED, '-1', '1e3'],
  [FEED.toUpperCase(), '1', '1'],
].map((parts) => Buffer.from(JSON.stringify(parts), 'utf8').toString('base64url'));

const MOMENTS = DATES.flatMap((date) => [date, `${date}T24:00:00+14:00`, `${date}T00:00:00Z`]);

export const OWN_LIST: QueryGrammar = {
  names: Object.keys(ENDPOINTS.listTransmissions.query.shape),
  values: [
    ...PAGE_VALUES,
    ...CURSORS,
    ...MOMENTS,
    'ACCEPTED',
    'REJECTED,ACCEPTED,REJECTED',
    'ACCEPTED,',
    'CREATE',
    'true',
    'maybe',
    'VALIDATION_FAILED',
    'BATCH-2026',
  ],
};

export const CHANGES: QueryGrammar = {
  names: Object.keys(ENDPOINTS.readChanges.query.shape),
  values: [
    ...PAGE_VALUES,
    ...CURSORS,
    'now',
    'NOW',
    'record',
    'FLAG_CHANGED',
    'FLAG_CHANGED,NEWS',
    'RECORD_AMENDED,RECORD_AMENDED',
  ],
};

export const BATCH: QueryGrammar = {
  names: ['batch'],
  values: ['BATCH-2026', 'short', 'x'.repeat(65), 'a/b/c/d/e', 'batch 2026'],
};

export function fullLookup(random: Random): LookupBody {
  const names = Array.from({ length: 1 + random.below(5) }, () => uniqueNumber('ABUSE'));
  return random.percent(50) ? { externalTransactionIds: names } : { transmissionReferences: names };
}
