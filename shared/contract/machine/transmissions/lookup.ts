import { z } from 'zod';
import { text } from '../../text.ts';
import type { Endpoint } from '../endpoints.ts';
import { ExternalTransactionId } from '../transmission.ts';
import { TransmissionSummary } from './summary.ts';

export const LOOKUP_NAMES_MAX = 500;

/** Names of transmissions of one kind, 1 to 500 (D36). */
export const LookupBody = z
  .strictObject({
    externalTransactionIds: z.array(ExternalTransactionId).min(1).max(LOOKUP_NAMES_MAX).optional(),
    transmissionReferences: z.array(text(64).min(1)).min(1).max(LOOKUP_NAMES_MAX).optional(),
  })
  .refine(
    ({ externalTransactionIds, transmissionReferences }) =>
      (externalTransactionIds === undefined) !== (transmissionReferences === undefined),
    'Give either externalTransactionIds or transmissionReferences.',
  )
  .meta({
    id: 'LookupBody',
    description: 'Either externalTransactionIds or transmissionReferences.',
  });
export type LookupBody = z.infer<typeof LookupBody>;

const LookupItem = z
  .strictObject({
    externalTransactionId: z.string().optional().describe('As asked.'),
    transmissionReference: z.string().optional().describe('As asked.'),
    found: z.boolean(),
    transmission: TransmissionSummary.nullable().describe('Null when it was not found.'),
  })
  .meta({ id: 'LookupItem' });

export const LookupResult = z
  .strictObject({ items: z.array(LookupItem).describe('One for each name, in the order asked.') })
  .meta({ id: 'LookupResult' });
export type LookupResult = z.infer<typeof LookupResult>;

export const LOOKUP_TRANSMISSIONS = {
  method: 'POST',
  path: '/ppai/transmissions/lookup',
  authentication: 'signed',
  scope: 'ppai:read',
  summary: 'Look up many transmissions',
  description: `The status of up to ${LOOKUP_NAMES_MAX} transmissions of your own organization. Counts as one request and records nothing. A name that is not found is an item with \`found\` false.`,
  body: LookupBody,
  replies: { 200: { description: 'One item for each name.', data: LookupResult } },
  errors: ['VALIDATION_FAILED'],
} as const satisfies Endpoint;
