import { STAFF_VIEWER } from '../../../shared/store/staff/records.ts';
import { makeRecordHandlers } from '../../records/record-handlers.ts';

interface RecordRequest {
  readonly params: { readonly registryReference: string };
}

/** A record and its history as staff read them: operators' personal data masked as for everybody (D22, D33). */
export const RECORD_HANDLERS = makeRecordHandlers(
  ({ params: { registryReference } }: RecordRequest) => ({
    viewer: STAFF_VIEWER,
    reader: { kind: 'STAFF', path: `/admin/v1/records/${registryReference}` },
  }),
);
