import { API_BASE } from '../../shared/contract/machine/endpoints.ts';
import type { Submitter } from '../auth/machine/submitter.ts';
import { makeRecordHandlers } from '../records/record-handlers.ts';
import { viewerOf } from './viewer.ts';

interface RecordRequest {
  readonly params: { readonly registryReference: string };
  readonly submitter: Submitter;
}

/** A record and its history as organizations read them (api.md, "GET /api/v1/ppai/policies/{registryReference}"; D22, D23, D33). */
export const RECORD_HANDLERS = makeRecordHandlers(
  ({ params: { registryReference }, submitter }: RecordRequest) => ({
    viewer: viewerOf(submitter),
    reader: { kind: 'ORGANIZATION', path: `${API_BASE}/ppai/policies/${registryReference}` },
  }),
);
