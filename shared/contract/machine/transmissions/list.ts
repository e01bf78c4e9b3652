import { z } from 'zod';
import { RegistryMoment } from '../../dates.ts';
import {
  isTerminal,
  TRANSMISSION_STATUSES,
  TransmissionKind,
  type TransmissionStatus,
} from '../../enums.ts';
import { ERROR_CODES } from '../../errors.ts';
import { text } from '../../text.ts';
import type { Endpoint } from '../endpoints.ts';
import { pageWithoutTotalOf, wholeNumber } from '../paging.ts';
import { BatchName } from './batch.ts';
import { TransmissionSummary } from './summary.ts';

export const TRANSMISSIONS_LIMIT_MAX = 500;
const TRANSMISSIONS_LIMIT_DEFAULT = 100;

/** One or more statuses, separated by commas. The parsed list is in the order of the vocabulary, each status once. */
const StatusList = text(200)
  .refine(
    (list) => list.split(',').every((one) => TRANSMISSION_STATUSES.some((known) => known === one)),
    `Expected one or more of ${TRANSMISSION_STATUSES.join(', ')}, separated by commas.`,
  )
  .transform((list) => TRANSMISSION_STATUSES.filter((known) => list.split(',').includes(known)));

const Choice = z.enum(['true', 'false']).transform((choice) => choice === 'true');

/** The query of the list of one's own transmissions (D35). All filters must match. */
export const TransmissionListQuery = z.object({
  status: StatusList.optional().describe('One or more statuses, separated by commas.'),
  kind: TransmissionKind.optional(),
  failed: Choice.optional().describe('true: only REJECTED; false: only the others.'),
  open: Choice.optional().describe('true: only RECEIVED and VALIDATING; false: only the others.'),
  errorCode: z.enum(ERROR_CODES).optional().describe('Only those rejected with this code.'),
  batch: BatchName.optional().describe('Only those that were sent with this batch name.'),
  receivedFrom: RegistryMoment.optional().describe('At or after.'),
  receivedTo: RegistryMoment.optional().describe('Before.'),
  cursor: text(512)
    .min(1)
    .optional()
    .describe('The nextCursor of the previous page. It is valid only with the same filters.'),
  limit: wholeNumber(1, TRANSMISSIONS_LIMIT_MAX).default(TRANSMISSIONS_LIMIT_DEFAULT),
});
export type TransmissionListQuery = z.infer<typeof TransmissionListQuery>;

/** The statuses that the filters leave. Only a REJECTED transmission has an error code. */
export function statusesOf({
  status = [...TRANSMISSION_STATUSES],
  failed,
  open,
  errorCode,
}: TransmissionListQuery): TransmissionStatus[] {
  return status.filter((one) => {
    const isFailed = one === 'REJECTED';
    const isOpen = !isTerminal(one);
    return (
      (failed ?? isFailed) === isFailed &&
      (open ?? isOpen) === isOpen &&
      (errorCode === undefined || isFailed)
    );
  });
}

export const TransmissionPage = pageWithoutTotalOf(TransmissionSummary);
export type TransmissionPage = z.infer<typeof TransmissionPage>;

export const LIST_TRANSMISSIONS = {
  method: 'GET',
  path: '/ppai/transmissions',
  authentication: 'signed',
  scope: 'ppai:read',
  summary: 'List your own transmissions',
  description:
    'The transmissions of your own organization, the newest receipt first. All filters must match.',
  query: TransmissionListQuery,
  replies: { 200: { description: 'A page of transmissions.', data: TransmissionPage } },
  errors: ['VALIDATION_FAILED'],
} as const satisfies Endpoint;
