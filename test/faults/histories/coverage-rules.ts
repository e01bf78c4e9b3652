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

/** A client's call about one family. Keys identify transmissions and certificates; insurers have names. */
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
  /** Reads a transmission of any kind. */
  | { readonly op: 'look up'; readonly key: string }
  | { readonly op: 'check'; readonly name: Name; readonly day: string }
  /** Searches the insurer's own certificates. */
  | { readonly op: 'search'; readonly name: Name; readonly insurer: string }
  | { readonly op: 'read'; readonly certificate: string };

/** Possible results of a look-up while there is no outcome. */
export const PENDING = ['absent', 'in progress'] as const;
export const ABSENT = 'absent';

/** The specified behavior of the registry for one family (api.md, "VEHICLE_ALREADY_INSURED rules"; D9, D10, D14–D17). */
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
      const possible: readonly string[] = outcome === undefined ? PENDING : [outcome];
      return { state, isResult: (result) => possible.includes(result) };
    }
    case 'check': {
      const possible = check(state, call.name, call.day);
      return { state, isResult: (result) => possible.includes(result) };
    }
    case 'search': {
      const owners = ownersOf(state, [call.name]);
      const found = state.certificates
        .filter(({ insurer, vehicle }) => insurer === call.insurer && owners.includes(vehicle))
        .map((one) => `${one.key} ${describe(one)}`);
      return exactly(state, found.sort().join(', '));
    }
    case 'read': {
      const found = state.certificates.find(({ key }) => key === call.certificate);
      return exactly(state, found === undefined ? ABSENT : describe(found));
    }
    default:
      return call satisfies never;
  }
}

/** The text for a record that a client has read. */
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

function exactly(state: FamilyState, answer: string): Step<FamilyState, string> {
  return { state, isResult: (result) => result === answer };
}

function settled(key: string, { state, outcome }: Decided): Step<FamilyState, string> {
  return exactly({ ...state, outcomes: { ...state.outcomes, [key]: outcome } }, outcome);
}

function transmit(
  state: FamilyState,
  { key, insurer, names, from, to }: Extract<Call, { op: 'transmit' }>,
): Decided {
  const sent = present(names);
  const owners = ownersOf(state, sent);
  const refused = refusal(holders(state, everyName(state, sent, owners), { from, to }));
  if (refused !== undefined) return { state, outcome: `REJECTED ${refused}` };
  // The owners are in the order of their names, the most specific first, and the first one decides.
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

/** Compared with every name that its vehicle, or a vehicle that it matches, ever had. */
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

/** Compared only with names that the certificate did not have (api.md: an amendment that changes dates or vehicles). */
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

/** The owners of the names, and always the certificate's own vehicle. */
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
 * D17, D27: of all vehicles that ever had the name, the one in force. If several or none are in force, the latest registration
 * decides. References are assigned before the order of settlement is known, so here any of them is possible.
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
  const possible = (covered.length > 0 ? covered : answers).map(({ text }) => text);
  return possible.length > 0 ? possible : [ABSENT];
}

type Cover = Pick<Certificate, 'insurer' | 'from' | 'to'>;

/** The text for the result of a coverage check. */
export function describeCovers(cover: Cover | undefined, next: Cover | undefined): string {
  const [now, later] = [cover, next].map((one) =>
    one === undefined ? 'nobody' : `${one.insurer} ${one.from}–${one.to}`,
  );
  return `${now}, then ${later}`;
}
