import type { DataOf } from '../../api/contract.ts';

export type Transmission = DataOf<'readTransmission'>;
export type TransmissionItem = DataOf<'listTransmissions'>['items'][number];
export type Acknowledgment = NonNullable<Transmission['acknowledgment']>;
export type Finding = Acknowledgment['errors'][number];

export const TRANSMISSION_STATUS_WORDS: Record<TransmissionItem['status'], string> = {
  RECEIVED: 'Received',
  VALIDATING: 'Validating',
  ACCEPTED: 'Accepted',
  FLAGGED: 'Flagged',
  REJECTED: 'Rejected',
};

export const TRANSMISSION_KIND_WORDS: Record<TransmissionItem['kind'], string> = {
  CREATE: 'Registration',
  AMEND: 'Amendment',
  CANCEL: 'Cancellation',
};

export const CHANNEL_WORDS: Record<TransmissionItem['channel'], string> = {
  API: 'API',
  PORTAL: 'Portal',
  BULK_UPLOAD: 'Bulk upload',
};

/** The four levels of validation (api.md, "Validation levels"). */
export const LEVEL_WORDS: Record<number, string> = {
  1: 'Required fields',
  2: 'Format',
  3: 'Insurer and authority',
  4: 'Vehicle reference match',
};
