import { API_BASE } from '../../shared/contract/machine/endpoints.ts';
import type { Submitter } from '../auth/machine/submitter.ts';
import type { ApiContext } from '../context.ts';
import type { Answer } from '../http/respond.ts';
import { makeRecordHandlers } from '../records/record-handlers.ts';
import { viewerOf } from './viewer.ts';

interface RecordRequest {
  readonly params: { readonly registryReference: string };
  readonly submitter: Submitter;
}

const handlers = makeRecordHandlers(
  ({ params: { registryReference }, submitter }: RecordRequest) => ({
    viewer: viewerOf(submitter),
    reader: { kind: 'ORGANIZATION', path: `${API_BASE}/ppai/policies/${registryReference}` },
  }),
);

/**
 * A record and its history as organizations read them (api.md, "GET /api/v1/ppai/policies/{registryReference}"; D22, D23,
 * D33). The record has an ETag (D39).
 */
export const RECORD_HANDLERS = {
  ...handlers,
  readRecord: async (context: ApiContext, request: RecordRequest): Promise<Answer> => ({
    ...(await handlers.readRecord(context, request)),
    hasETag: true,
  }),
};
