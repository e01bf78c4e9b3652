import { z } from 'zod';
import { Lifecycle, TransmissionKind, TransmissionStatus } from '../enums.ts';
import { text } from '../text.ts';
import { Timestamp } from './acknowledgment.ts';
import { wholeNumber } from './paging.ts';
import { RecordSummary } from './record.ts';

/** The types of a change (D37). */
export const CHANGE_TYPES = [
  'TRANSMISSION_COMPLETED',
  'RECORD_AMENDED',
  'RECORD_CANCELLED',
  'FLAG_CHANGED',
  'RECORD_VISIBLE',
] as const;
export const ChangeType = z.enum(CHANGE_TYPES).meta({ id: 'ChangeType' });
export type ChangeType = z.infer<typeof ChangeType>;

export const CHANGES_LIMIT_DEFAULT = 100;
export const CHANGES_LIMIT_MAX = 500;
/** The value of `after` that skips everything that has been committed. */
export const AFTER_NOW = 'now';

const ChangeTypes = text(200).refine((list) => list.split(',').every(isChangeType), {
  error: `Expected a comma-separated list of ${CHANGE_TYPES.join(', ')}.`,
});

/** The types that the parameter `types` lists; all without it. */
export function readChangeTypes(list: string | undefined): readonly ChangeType[] {
  return list === undefined ? CHANGE_TYPES : list.split(',').filter(isChangeType);
}

export const ChangesQuery = z
  .object({
    after: text(512)
      .min(1)
      .optional()
      .describe(
        'The `next` of the previous page, or the `cursor` of an item. Without it, the feed starts at its beginning; with `now`, after everything that has been committed.',
      ),
    limit: wholeNumber(1, CHANGES_LIMIT_MAX).default(CHANGES_LIMIT_DEFAULT),
    types: ChangeTypes.optional().describe(
      `Only these types, separated by commas: ${CHANGE_TYPES.join(', ')}.`,
    ),
    include: z
      .enum(['record'])
      .optional()
      .describe('With `record`, each item has the summary of its record as it is now.'),
  })
  .meta({ id: 'ChangesQuery' });
export type ChangesQuery = z.infer<typeof ChangesQuery>;

export const ChangeItem = z
  .strictObject({
    cursor: z.string(),
    type: ChangeType.describe('Ignore types that you do not know.'),
    kind: TransmissionKind.nullable().describe('Null when no transmission made the change.'),
    status: TransmissionStatus.nullable(),
    errorCode: z.string().nullable(),
    transmissionReference: z.string().nullable(),
    externalTransactionId: z
      .string()
      .nullable()
      .describe('Null when another organization transmitted, and when nobody did.'),
    transmittingOrg: z.string().nullable().describe('The code of the organization.'),
    registryReference: z.string().nullable().describe('Null when the transmission was REJECTED.'),
    version: z
      .int()
      .min(1)
      .nullable()
      .describe(
        'The version of the record after the change. Changes of one record may arrive out of order: keep the highest version.',
      ),
    lifecycle: Lifecycle.nullable().describe(
      'The lifecycle of the record as it is now. CANCELLED is final. Null when the record is not visible to you.',
    ),
    at: Timestamp.nullable().describe(
      'When the transmission was completed, or the flag last reviewed. Null while a flag is open again, and for RECORD_VISIBLE.',
    ),
    record: RecordSummary.nullable()
      .optional()
      .describe('With `include=record`. Null when you see no record of this change.'),
  })
  .meta({ id: 'ChangeItem' });
export type ChangeItem = z.infer<typeof ChangeItem>;

export const ChangesPage = z
  .strictObject({
    items: z.array(ChangeItem),
    next: z.string().describe('Store it, and ask with `after` for what follows.'),
    caughtUp: z.boolean().describe('False when more changes can be read at once.'),
    highWaterMark: Timestamp.nullable().describe(
      'When you are caught up, you have every change that was committed before this time. Null shortly after a start of the registry.',
    ),
  })
  .meta({ id: 'ChangesPage' });
export type ChangesPage = z.infer<typeof ChangesPage>;

export const CHANGES_ENDPOINT = {
  method: 'GET',
  path: '/ppai/changes',
  authentication: 'signed',
  scope: 'ppai:read',
  summary: 'Follow changes',
  description:
    'Everything that happened to records and transmissions that concern you, in one order that never changes. Store `next` and continue after it; nothing is missed or repeated. `Prefer: wait=N` holds an empty answer until there is a change, at most 30 seconds.',
  query: ChangesQuery,
  prefer: true,
  replies: { 200: { description: 'The changes after the cursor.', data: ChangesPage } },
  errors: ['VALIDATION_FAILED'],
} as const;

function isChangeType(value: string): value is ChangeType {
  return (CHANGE_TYPES as readonly string[]).includes(value);
}
