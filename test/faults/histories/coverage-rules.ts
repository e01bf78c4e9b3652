import {
  adopt,
  type Certificate,
  EMPTY,
  everyName,
  type FamilyState,
  holders,
  identityOf,
  type Name,
  type Names,
  ownersOf,
  type Period,
  present,
  refusal,
  VALUES,
} from './coverage-state.ts';
import type { Rules, Step } from './linearizable.ts';

/** What a client asks about one family; transmissions and certificates go by keys, insurers by name. */
export type Call =
  | (Period & {
      readonly op: 'transmit';
      readonly key: string;
      readonly insurer: string;
      readonly names: Names;
    })
  | (Period & { readonly op: 'amend days'; readonly key: string; readonly certificate: string })
  | {
      readonly op: 'amend name';
      readonly key: string;
      readonly certificate: string;
      readonly name: Name;
    }
  | { readonly op: 'cancel'; readonly key: string; readonly certificate: string }
  /** Of a transmission, whatever its kind. */
  | { readonly op: 'look up'; readonly key: string }
  | { readonly op: 'check'; readonly name: Name; readonly day: string }
  /** Of one's own certificates. */
  | { readonly op: 'search'; readonly name: Name; readonly insurer: string }
  | { readonly op: 'read'; readonly certificate: string };

/** What a look-up says while there is no outcome. */
export const PENDING = ['absent', 'in progress'] as const;
export const ABSENT = 'absent';

/** One registry for one family, as the specification has it (api.md, "VEHICLE_ALREADY_INSURED rules"; D9, D10, D14–D17). */
export const COVERAGE: Rules<FamilyState, Call, string> = {
  initial: EMPTY,
  step: (state, call) => [stepOf(state, call)],
  keyOf: identityOf,
};

function stepOf(state: FamilyState, call: Call): Step<FamilyState, string> {
  switch (call.op) {
    case 'transmit':
      return settled(call.key, transmit(state, call));
    case 'amend days':
    case 'amend name':
    case 'cancel':
      return settled(call.key, change(state, call));
    case 'look up': {
      const outcome = state.outcomes[call.key];
      const mayBe: readonly string[] = outcome === undefined ? PENDING : [outcome];
      return { state, isResult: (result) => mayBe.includes(result) };
    }
    case 'check': {
      const mayBe = check(state, call.name, call.day);
      return { state, isResult: (result) => mayBe.includes(result) };
    }
    case 'search': {
      const owners = ownersOf(state, [call.name]);
      const found = state.certificates
        .filter(({ insurer, vehicle }) => insurer === call.insurer && owners.includes(vehicle))
        .map((one) => `${one.key} ${describe(one)}`);
      return told(state, found.sort().join(', '));
    }
    case 'read': {
      const found = state.certificates.find(({ key }) => key === call.certificate);
      return told(state, found === undefined ? ABSENT : describe(found));
    }
    default:
      return call satisfies never;
  }
}

/** As a client tells of what it read. */
export function describe({
  isCancelled,
  version,
  from,
  to,
}: Pick<Certificate, 'isCancelled' | 'version' | 'from' | 'to'>): string {
  return `${isCancelled ? 'CANCELLED' : 'CURRENT'} v${version} ${from}–${to}`;
}

interface Decided {
  readonly state: FamilyState;
  readonly outcome: string;
}

function told(state: FamilyState, answer: string): Step<FamilyState, string> {
  return { state, isResult: (result) => result === answer };
}

function settled(key: string, { state, outcome }: Decided): Step<FamilyState, string> {
  return told({ ...state, outcomes: { ...state.outcomes, [key]: outcome } }, outcome);
}

function transmit(
  state: FamilyState,
  { key, insurer, names, from, to }: Extract<Call, { op: 'transmit' }>,
): Decided {
  const sent = present(names);
  const owners = ownersOf(state, sent);
  const refused = refusal(holders(state, everyName(state, sent, owners), { from, to }));
  if (refused !== undefined) return { state, outcome: `REJECTED ${refused}` };
  // The most specific name decides; they are in that order.
  const [place] = owners;
  const after = adopt(state, names, place);
  const vehicle = place ?? state.vehicles.length;
  const certificate: Certificate = {
    key,
    insurer,
    names,
    from,
    to,
    vehicle,
    held: after.vehicles[vehicle]?.owned ?? [],
    isCancelled: false,
    version: 1,
  };
  return {
    state: { ...after, certificates: [...after.certificates, certificate] },
    outcome: `${statusOf(owners)} v1`,
  };
}

type Change = Extract<Call, { op: 'amend days' | 'amend name' | 'cancel' }>;

function change(state: FamilyState, call: Change): Decided {
  const target = state.certificates.find(({ key }) => key === call.certificate);
  if (target === undefined) return { state, outcome: ABSENT };
  if (target.isCancelled) return { state, outcome: 'REJECTED RECORD_CANCELLED' };
  switch (call.op) {
    case 'cancel':
      return {
        state: replace(state, { ...target, isCancelled: true, held: [] }),
        outcome: `ACCEPTED v${target.version}`,
      };
    case 'amend days':
      return moveTo(state, target, call);
    case 'amend name':
      return rename(state, target, call.name);
    default:
      return call satisfies never;
  }
}

/** Held against everything that its vehicle, or one that it matches, was ever called. */
function moveTo(state: FamilyState, target: Certificate, { from, to }: Period): Decided {
  if (from === target.from && to === target.to) return { state, outcome: 'REJECTED NO_CHANGES' };
  const owners = ownersWith(state, target.names, target.vehicle);
  const names = everyName(state, present(target.names), owners);
  const refused = refusal(holders(state, names, { from, to }, target.key));
  if (refused !== undefined) return { state, outcome: `REJECTED ${refused}` };
  const held = state.vehicles[target.vehicle]?.owned ?? [];
  const version = target.version + 1;
  return {
    state: replace(state, { ...target, from, to, held, version }),
    outcome: `${statusOf(owners)} v${version}`,
  };
}

/** Held only against what the certificate did not name (api.md: an amendment that changes dates or vehicles). */
function rename(state: FamilyState, target: Certificate, name: Name): Decided {
  const kind = Math.floor(name / VALUES);
  if (target.names[kind] === name) return { state, outcome: 'REJECTED NO_CHANGES' };
  const names = target.names.map((one, index) => (index === kind ? name : one));
  const owners = ownersWith(state, names, target.vehicle);
  const gained = present(names).filter((one) => !target.names.includes(one));
  const others = owners.filter((owner) => owner !== target.vehicle);
  const against = gained.length === 0 ? [] : everyName(state, gained, others);
  const refused = refusal(holders(state, against, target, target.key));
  if (refused !== undefined) return { state, outcome: `REJECTED ${refused}` };
  const after = adopt(state, names, target.vehicle);
  const version = target.version + 1;
  const held = [...new Set([...target.held, ...gained])];
  return {
    state: replace(after, { ...target, names, held, version }),
    outcome: `${statusOf(owners)} v${version}`,
  };
}

/** Its own vehicle owns every name of a certificate, those of its own included. */
function ownersWith(state: FamilyState, names: Names, vehicle: number): number[] {
  return [...new Set([...ownersOf(state, present(names)), vehicle])];
}

/** Names of two or more vehicles are an IDENTIFIER_CONFLICT, which is registered and flagged. */
function statusOf(owners: readonly number[]): string {
  return owners.length > 1 ? 'FLAGGED' : 'ACCEPTED';
}

function replace(state: FamilyState, certificate: Certificate): FamilyState {
  const certificates = state.certificates.map((one) =>
    one.key === certificate.key ? certificate : one,
  );
  return { ...state, certificates };
}

/**
 * D17, D27: the vehicle that is in force, of all that ever had the name. Of several, or none, the latest registration decides;
 * numbers are given before it is known who settles first, so that it may be any of them here.
 */
function check(state: FamilyState, name: Name, day: string): string[] {
  const answers = (state.owners[name] ?? []).map((owner) => {
    const covers = state.certificates
      .filter(({ vehicle, isCancelled }) => vehicle === owner && !isCancelled)
      .sort((one, other) => (one.from < other.from ? -1 : 1));
    const cover = covers.find(({ from, to }) => from <= day && day <= to);
    const next = covers.find(({ from }) => from > day);
    return { isCovered: cover !== undefined, text: describeCovers(cover, next) };
  });
  const covered = answers.filter(({ isCovered }) => isCovered);
  const mayBe = (covered.length > 0 ? covered : answers).map(({ text }) => text);
  return mayBe.length > 0 ? mayBe : [ABSENT];
}

type Cover = Pick<Certificate, 'insurer' | 'from' | 'to'>;

/** As a client tells of a coverage check. */
export function describeCovers(cover: Cover | undefined, next: Cover | undefined): string {
  const [now, later] = [cover, next].map((one) =>
    one === undefined ? 'nobody' : `${one.insurer} ${one.from}–${one.to}`,
  );
  return `${now}, then ${later}`;
}
