import { API_BASE } from '../../shared/contract/machine/endpoints.ts';
import type { HistoryName } from '../../shared/contract/machine/record-history.ts';
import type { RecordReader } from '../../shared/domain/presentation/present-history.ts';
import type { Submitter } from '../auth/machine/submitter.ts';
import {
  answerAmendments,
  answerDiff,
  answerFlags,
  answerTransmissions,
  answerVehicles,
  answerVersion,
  answerVersions,
  answerVersionVehicles,
  type HistoryLook,
} from './history-pages.ts';
import type { Handlers } from './route.ts';
import { viewerOf } from './viewer.ts';

/** The history of a record as organizations read it (D22, D23, D33). */
export const HISTORY_HANDLERS: Pick<Handlers, HistoryName> = {
  listRecordVersions: (context, request) => answerVersions(context, lookOf(request), request.query),
  readRecordVersion: (context, request) =>
    answerVersion(context, lookOf(request), Number(request.params.version)),
  listVersionVehicles: (context, request) =>
    answerVersionVehicles(context, lookOf(request), Number(request.params.version), request.query),
  listRecordAmendments: (context, request) =>
    answerAmendments(context, lookOf(request), request.query),
  listAmendmentDiff: (context, request) =>
    answerDiff(context, lookOf(request), Number(request.params.toVersion), request.query),
  listRecordTransmissions: (context, request) =>
    answerTransmissions(context, lookOf(request), request.query),
  listRecordVehicles: (context, request) => answerVehicles(context, lookOf(request), request.query),
  listRecordFlags: (context, request) => answerFlags(context, lookOf(request), request.query),
};

export function organizationReader(registryReference: string): RecordReader {
  return { kind: 'ORGANIZATION', path: `${API_BASE}/ppai/policies/${registryReference}` };
}

function lookOf({
  params: { registryReference },
  submitter,
}: {
  readonly params: { readonly registryReference: string };
  readonly submitter: Submitter;
}): HistoryLook {
  return {
    registryReference,
    viewer: viewerOf(submitter),
    reader: organizationReader(registryReference),
  };
}
