import { type CoverageStatus, IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';
import { coverageStatus, refusal } from './judge.ts';
import { isVisible } from './organizations.ts';
import { identifier } from './reading/read-body.ts';
import type { Request } from './reading/request.ts';
import type { Answer, Entry, ModelRecord, ModelState } from './state.ts';

export interface CoverageOptions {
  readonly today: string;
  /** Order of registration, by the key of a record. */
  readonly orderOf: (record: string) => number;
}

interface Cover {
  readonly record: ModelRecord;
  readonly from: string;
  readonly to: string;
  readonly status: CoverageStatus;
}

/** D17, D27. */
export function checkCoverage(
  state: ModelState,
  organization: string,
  { identifier: asked, asOf }: Extract<Request, { readonly op: 'coverage' }>,
  options: CoverageOptions,
): Answer {
  const value = identifier(asked);
  const day = asOf ?? options.today;
  const candidates = IDENTIFIER_KINDS.flatMap((kind) =>
    (state.owners[`${kind}:${value}`] ?? []).map((owner) => ({
      kind,
      owner,
      now: inForce(state, owner, day),
      past: day < options.today ? wasInForce(state, owner, day) : [],
    })),
  );
  const covered = candidates.filter(({ now }) => now.length > 0);
  const lapsed = candidates.filter(({ past }) => past.length > 0);
  const best = [covered, lapsed, candidates].find((list) => list.length > 0) ?? [];
  const newest = (records: readonly ModelRecord[]) =>
    Math.max(...records.map(({ key }) => options.orderOf(key)));
  const rivals = best
    .filter(({ kind }) => kind === best[0]?.kind)
    .map((one) => {
      const covers = one.now.length > 0 ? one.now : one.past;
      const records =
        covers.length > 0 ? covers.map(({ record }) => record) : ever(state, one.owner);
      const bears = state.vehicles[one.owner]?.current[one.kind] === value;
      return { ...one, covers, latest: newest(records), bears };
    });
  const latest = Math.max(...rivals.map((one) => one.latest));
  const tied = rivals.filter((one) => one.latest === latest);
  const chosen = tied.find(({ bears }) => bears) ?? tied.at(-1);
  if (chosen === undefined) return refusal(404, 'NOT_FOUND');
  // The vehicle may have been removed from the same record twice.
  const cover = chosen.covers.findLast(({ record }) => options.orderOf(record.key) === latest);
  const spanOf = (span: Cover | undefined) =>
    span === undefined
      ? null
      : {
          insurerCode: span.record.insurer,
          effectiveDate: span.from,
          expirationDate: span.to,
          coverageStatus: span.status,
          record: isVisible(state, organization, span.record) ? span.record.key : null,
        };
  return {
    status: 200,
    code: null,
    details: [],
    data: {
      identifier: value,
      matchedBy: chosen.kind,
      asOf: day,
      covered: cover !== undefined,
      vehicle: state.vehicles[chosen.owner]?.current,
      coverage: spanOf(cover),
      next: spanOf(laterCovers(state, chosen.owner, day)[0]),
    },
  };
}

function ever(state: ModelState, owner: number): ModelRecord[] {
  return state.records.filter(({ entries }) =>
    entries.some(({ canonical }) => canonical === owner),
  );
}

/** All covers of the vehicle that are not cancelled, the earliest first. */
function standing(state: ModelState, owner: number, day: string): Cover[] {
  const isOn = (one: Entry) => one.canonical === owner && one.left === null;
  return state.records
    .filter(({ lifecycle, entries }) => lifecycle === 'CURRENT' && entries.some(isOn))
    .map((record) => ({
      record,
      from: record.effectiveDate,
      to: record.expirationDate,
      status: coverageStatus(day, record),
    }))
    .sort((one, other) => (one.from < other.from ? -1 : 1));
}

function inForce(state: ModelState, owner: number, day: string): Cover[] {
  return standing(state, owner, day).filter(({ from, to }) => from <= day && day <= to);
}

function laterCovers(state: ModelState, owner: number, day: string): Cover[] {
  return standing(state, owner, day).filter(({ from }) => from > day);
}

/** Covers that were in force on the day and ended since, because of a cancellation that did not correct an error or because the vehicle was removed. */
function wasInForce(state: ModelState, owner: number, day: string): Cover[] {
  return state.records.flatMap((record) => {
    const { lifecycle, cancelledAsOf, isIssuedInError } = record;
    const isCancelled = lifecycle === 'CANCELLED';
    if (isCancelled && (isIssuedInError || day >= (cancelledAsOf ?? ''))) return [];
    return record.entries
      .filter(({ canonical, left }) => canonical === owner && (isCancelled || left !== null))
      .filter(({ left }) => left === null || day < left.on)
      .map(({ left }): Cover => {
        const { from, to } = left ?? { from: record.effectiveDate, to: record.expirationDate };
        return { record, from, to, status: left === null ? 'CANCELLED' : 'SUPERSEDED' };
      })
      .filter(({ from, to }) => from <= day && day <= to);
  });
}
