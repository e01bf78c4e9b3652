import { IDENTIFIER_KINDS } from '../../../../shared/contract/enums.ts';
import { coverageStatus, refusal } from '../judge.ts';
import { isVisible, policyOf } from '../organizations.ts';
import { relationText, shownTo } from '../related.ts';
import type { Answer, ModelRecord, ModelState } from '../state.ts';
import { present } from '../vehicles.ts';
import { identifier, text } from './read-body.ts';
import type { Criteria, Request } from './request.ts';

type Asked<Op extends Request['op']> = Extract<Request, { readonly op: Op }>;

const NOT_FOUND = refusal(404, 'NOT_FOUND');

/** "Record summary". */
function summary(state: ModelState, record: ModelRecord, today: string) {
  return {
    record: record.key,
    policyNumber: record.policyNumber,
    cocNumber: record.cocNumber,
    effectiveDate: record.effectiveDate,
    expirationDate: record.expirationDate,
    coverageStatus: coverageStatus(today, record),
    lifecycle: record.lifecycle,
    currentVersion: record.version,
    insurer: record.insurer,
    transmitter: record.transmitter,
    pool: policyOf(state, record).pool,
    operatorName: record.operator['name'],
    region: record.operator['region'],
    plateNumbers: present(record).map(({ vehicle }) => vehicle.ids.plateNumber),
    vehicleCount: present(record).length,
    openFlagCount: record.flags.filter(({ status }) => status === 'OPEN').length,
  };
}

export function readRecord(
  state: ModelState,
  organization: string,
  { target }: Asked<'read'>,
  today: string,
): Answer {
  const record = state.records.find(({ key }) => key === target);
  if (record === undefined || !isVisible(state, organization, record)) return NOT_FOUND;
  const { pool: _pool, premiumAmount, ...policy } = policyOf(state, record);
  const status = coverageStatus(today, record);
  return found({
    ...summary(state, record, today),
    policy: { ...policy, premiumAmount: premiumAmount?.toFixed(2) ?? null },
    verification: record.verification,
    vehicles: record.entries.map(({ vehicle, addedInVersion, removedInVersion }) => ({
      ids: vehicle.ids,
      sent: vehicle.sent,
      region: vehicle.region,
      addedInVersion,
      removedInVersion,
    })),
    versions: Array.from({ length: record.version }, (_, index) => ({
      version: index + 1,
      coverageStatus: index + 1 === record.version ? status : 'SUPERSEDED',
    })),
    current: { ...policy, premiumAmount },
    amendments: record.amendments.map((paths, index) => ({
      fromVersion: index + 1,
      toVersion: index + 2,
      paths,
    })),
    cancelledAsOf: record.cancelledAsOf,
    flags: record.flags
      .map(
        ({ type, status: flag, plateNumber, related }) =>
          `${type} ${flag} ${plateNumber}${relationText(state, organization, related)}`,
      )
      .sort(),
    transmissions: state.transmissions
      .filter(({ about }) => about === record.key)
      .filter((one) => one.organization === organization || one.insurer === organization)
      .map(
        ({ ack, errorCode }) =>
          `${ack.kind} ${ack.externalTransactionId} ${ack.status} ${errorCode}`,
      )
      .sort(),
  });
}

/** D4. */
export function lookUp(
  state: ModelState,
  organization: string,
  { transmission, by }: Asked<'lookup'>,
): Answer {
  const one = state.transmissions.find(({ key }) => key === transmission);
  if (one === undefined) return NOT_FOUND;
  const isOwn = one.organization === organization;
  const isSeen = by === 'reference' ? isOwn || one.insurer === organization : isOwn;
  return isSeen ? found(shownTo(state, organization, one.ack)) : NOT_FOUND;
}

/** D16. The order, newest first, is checked where the references are known. */
export function search(
  state: ModelState,
  organization: string,
  { criteria, status }: Asked<'search'>,
  today: string,
): Answer {
  const items = state.records
    .filter(
      (record) => isVisible(state, organization, record) && isFoundBy(state, record, criteria),
    )
    .map((record) => summary(state, record, today))
    .filter((item) => status === undefined || item.coverageStatus === status)
    .sort((one, other) => (one.record < other.record ? -1 : 1));
  return found({ items, page: 1, pageSize: 25, total: items.length });
}

function isFoundBy(state: ModelState, record: ModelRecord, criteria: Criteria): boolean {
  const { policyNumber, cocNumber } = criteria;
  return (
    (policyNumber === undefined || text(policyNumber) === record.policyNumber) &&
    (cocNumber === undefined || text(cocNumber) === record.cocNumber) &&
    IDENTIFIER_KINDS.every((kind) => {
      if (criteria[kind] === undefined) return true;
      const owners = state.owners[`${kind}:${identifier(criteria[kind])}`] ?? [];
      return record.entries.some(({ canonical }) => owners.includes(canonical));
    })
  );
}

function found(data: object): Answer {
  return { status: 200, code: null, details: [], data };
}
