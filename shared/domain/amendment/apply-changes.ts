import { IDENTIFIER_KINDS } from '../../contract/enums.ts';
import { type Finding, makeFinding } from '../../contract/findings.ts';
import type { Changes, VehicleSelector } from '../../contract/machine/amendment.ts';
import { normalizeIdentifier } from '../identifiers.ts';
import type { SentVehicle } from '../registration/sent-path.ts';
import {
  readCertificate,
  readOperator,
  readPolicy,
  readVehicle,
  type Submission,
  type SubmittedVehicle,
} from '../registration/submission.ts';
import { normalizeText } from '../text.ts';
import type { VehiclePlace } from './record.ts';

/** A vehicle of the amended record. `place` is undefined for an added vehicle, `sent` for an unchanged one. */
export interface AmendedVehicle {
  readonly vehicle: SubmittedVehicle;
  readonly place: VehiclePlace | undefined;
  readonly sent: SentVehicle | undefined;
}

export interface AmendedRecord {
  readonly submission: Submission;
  /** One per vehicle of the submission, in its order. */
  readonly vehicles: readonly AmendedVehicle[];
  readonly removed: readonly VehiclePlace[];
  /** The changes that cannot be applied, such as IMMUTABLE_FIELD or a selector that names no vehicle of the record. */
  readonly findings: readonly Finding[];
}

/**
 * Applies the changes to the record (D14): an absent member keeps its value, null clears it. The fields that identify the
 * record keep their values; a different value is a finding.
 */
export function applyChanges(
  current: Submission,
  places: readonly VehiclePlace[],
  changes: Changes,
): AmendedRecord {
  const findings: Finding[] = [];
  const vehicles = applyVehicleChanges(current, places, changes, findings);
  findings.push(...checkIdentity(current, changes));
  return {
    submission: {
      issuingInsurerCode: current.issuingInsurerCode,
      poolCode: changes.poolCode === undefined ? current.poolCode : normalizeText(changes.poolCode),
      policy: {
        ...current.policy,
        ...readSent(changes.policy, readPolicy),
        policyNumber: current.policy.policyNumber,
      },
      certificate: {
        ...current.certificate,
        ...readSent(changes.certificate, readCertificate),
        cocNumber: current.certificate.cocNumber,
      },
      operator: { ...current.operator, ...readSent(changes.operator, readOperator) },
      vehicles: vehicles.kept.map(({ vehicle }) => vehicle),
    },
    vehicles: vehicles.kept,
    removed: vehicles.removed,
    findings,
  };
}

/** The normalized members that the body contains. */
function readSent<Body extends object, Read extends object>(
  body: Body | null | undefined,
  read: (body: Body) => Read,
): Partial<Read> {
  if (body === null || body === undefined) return {};
  const all = Object.entries(read(body)) as [keyof Read & string, Read[keyof Read]][];
  return Object.fromEntries(all.filter(([name]) => name in body)) as Partial<Read>;
}

function checkIdentity(current: Submission, changes: Changes): Finding[] {
  const pairs: [string, string | null | undefined, string | null][] = [
    ['changes.issuingInsurerCode', changes.issuingInsurerCode, current.issuingInsurerCode],
    ['changes.policy.policyNumber', changes.policy?.policyNumber, current.policy.policyNumber],
    [
      'changes.certificate.cocNumber',
      changes.certificate?.cocNumber,
      current.certificate.cocNumber,
    ],
  ];
  return pairs.flatMap(([field, sent, registered]) =>
    sent === undefined || normalizeText(sent) === registered
      ? []
      : makeFinding(
          'IMMUTABLE_FIELD',
          field,
          'It names the record and cannot change: leave it out. If it is wrong, cancel the record and transmit the certificate anew.',
        ),
  );
}

function applyVehicleChanges(
  current: Submission,
  places: readonly VehiclePlace[],
  changes: Changes,
  findings: Finding[],
): { readonly kept: AmendedVehicle[]; readonly removed: VehiclePlace[] } {
  const vehicles: (AmendedVehicle | undefined)[] = current.vehicles.map((vehicle, index) => ({
    vehicle,
    place: places[index],
    sent: undefined,
  }));
  const find = (selector: VehicleSelector, field: string): number | undefined => {
    const position = findVehicle(current.vehicles, selector);
    if (typeof position === 'number' && vehicles[position] !== undefined) return position;
    const message =
      position === 'ambiguous'
        ? `Name the vehicle by exactly one of ${IDENTIFIER_KINDS.join(', ')}.`
        : position === 'none'
          ? 'No vehicle of the record has this identifier now; one that it had before an amendment does not count.'
          : 'This vehicle is removed by an earlier element.';
    findings.push(makeFinding('VEHICLE_NOT_ON_RECORD', field, message));
    return undefined;
  };
  // A selector names a vehicle of the current record. So updates come first, then removals, then additions.
  const updated = new Set<number>();
  changes.vehicles?.update?.forEach(({ match, set }, index) => {
    const field = `changes.vehicles.update[${index}].match`;
    const position = find(match, field);
    const old = position === undefined ? undefined : vehicles[position];
    if (position === undefined || old === undefined) return;
    if (updated.has(position)) {
      findings.push(
        makeFinding(
          'INVALID_FORMAT',
          field,
          'This vehicle is updated by an earlier element: put all its changes into one.',
        ),
      );
      return;
    }
    updated.add(position);
    const sent = {
      path: `changes.vehicles.update[${index}].set`,
      members: new Set(Object.keys(set)),
    };
    vehicles[position] = { place: old.place, vehicle: setMembers(old.vehicle, set), sent };
  });
  const removed: VehiclePlace[] = [];
  changes.vehicles?.remove?.forEach((selector, index) => {
    const field = `changes.vehicles.remove[${index}]`;
    const position = find(selector, field);
    if (position === undefined) return;
    if (updated.has(position)) {
      findings.push(
        makeFinding(
          'INVALID_FORMAT',
          field,
          'This vehicle is updated, too: either update or remove it.',
        ),
      );
    }
    const place = vehicles[position]?.place;
    if (place !== undefined) removed.push(place);
    vehicles[position] = undefined;
  });
  const added = (changes.vehicles?.add ?? []).map((body, index) => ({
    vehicle: readVehicle(body),
    place: undefined,
    sent: { path: `changes.vehicles.add[${index}]`, members: undefined },
  }));
  return { kept: [...vehicles.filter((one) => one !== undefined), ...added], removed };
}

function setMembers(
  vehicle: SubmittedVehicle,
  set: Parameters<typeof readVehicle>[0],
): SubmittedVehicle {
  const sent = readVehicle(set).transmitted;
  const named = IDENTIFIER_KINDS.filter((kind) => kind in set);
  return {
    ...vehicle,
    ...readSent(set, readVehicle),
    transmitted: {
      ...vehicle.transmitted,
      ...Object.fromEntries(named.map((kind) => [kind, sent[kind]])),
    },
  };
}

function findVehicle(
  vehicles: readonly SubmittedVehicle[],
  selector: VehicleSelector,
): number | 'ambiguous' | 'none' {
  const named = IDENTIFIER_KINDS.flatMap((kind) => {
    const value = normalizeIdentifier(selector[kind]);
    return value === null ? [] : [{ kind, value }];
  });
  const [only, ...others] = named;
  if (only === undefined || others.length > 0) return 'ambiguous';
  const position = vehicles.findIndex((vehicle) => vehicle[only.kind] === only.value);
  return position === -1 ? 'none' : position;
}
