import type { HistoryName } from '../../../shared/contract/machine/record-history.ts';
import type { RecordReader } from '../../../shared/domain/presentation/present-history.ts';
import { STAFF_VIEWER } from '../../../shared/store/staff/records.ts';
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
} from '../../machine/history-pages.ts';
import type { StaffHandlers } from '../../staff/route.ts';

/** The history of a record as staff read it: operators' personal data masked as for everybody (D22, D33). */
export const HISTORY_HANDLERS: Pick<StaffHandlers, HistoryName> = {
  listRecordVersions: (context, { params, query }) =>
    answerVersions(context, lookOf(params), query),
  readRecordVersion: (context, { params }) =>
    answerVersion(context, lookOf(params), Number(params.version)),
  listVersionVehicles: (context, { params, query }) =>
    answerVersionVehicles(context, lookOf(params), Number(params.version), query),
  listRecordAmendments: (context, { params, query }) =>
    answerAmendments(context, lookOf(params), query),
  listAmendmentDiff: (context, { params, query }) =>
    answerDiff(context, lookOf(params), Number(params.toVersion), query),
  listRecordTransmissions: (context, { params, query }) =>
    answerTransmissions(context, lookOf(params), query),
  listRecordVehicles: (context, { params, query }) =>
    answerVehicles(context, lookOf(params), query),
  listRecordFlags: (context, { params, query }) => answerFlags(context, lookOf(params), query),
};

export function staffReader(registryReference: string): RecordReader {
  return { kind: 'STAFF', path: `/admin/v1/records/${registryReference}` };
}

function lookOf({ registryReference }: { readonly registryReference: string }): HistoryLook {
  return { registryReference, viewer: STAFF_VIEWER, reader: staffReader(registryReference) };
}
