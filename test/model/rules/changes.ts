import { IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';
import type { AmendmentBody } from '../../../shared/contract/machine/amendment.ts';
import type { VehicleBody } from '../../../shared/contract/machine/transmission.ts';
import { identifier, readOperator, readPolicy, readVehicle, text } from './reading/read-body.ts';
import type { Entry, ModelRecord, ModelVehicle, Submission } from './state.ts';
import { present } from './vehicles.ts';

/** A vehicle of the amended record; `entry` is its entry in the current record, if there is one. */
interface Amended {
  readonly vehicle: ModelVehicle;
  readonly entry: Entry | undefined;
  /** Where the body contains it, if it does, and which of its members if not all. */
  readonly sent: { readonly path: string; readonly names?: readonly string[] } | undefined;
}

export interface AmendedVehicles {
  readonly vehicles: readonly Amended[];
  readonly removed: readonly Entry[];
  readonly findings: readonly string[];
}

export function applied(
  before: Submission,
  { changes }: AmendmentBody,
  { vehicles }: AmendedVehicles,
): Submission {
  const { policy, certificate, operator } = changes;
  const {
    effectiveDate,
    expirationDate,
    insurerVerificationReference: verification,
  } = certificate ?? {};
  return {
    ...before,
    pool: changes.poolCode === undefined ? before.pool : text(changes.poolCode),
    policy: { ...before.policy, ...onlyGiven(policy ?? {}, readPolicy(policy ?? {})) },
    effectiveDate: effectiveDate === undefined ? before.effectiveDate : text(effectiveDate),
    expirationDate: expirationDate === undefined ? before.expirationDate : text(expirationDate),
    verification: verification === undefined ? before.verification : text(verification),
    operator: { ...before.operator, ...readOperator(operator ?? {}) },
    vehicles: vehicles.map(({ vehicle }) => vehicle),
  };
}

/** The members in the body: null clears a member, an absent member is unchanged. */
function onlyGiven<Read extends object>(body: object, read: Read): Partial<Read> {
  return Object.fromEntries(Object.entries(read).filter(([name]) => name in body)) as Partial<Read>;
}

export function identityFindings(before: Submission, { changes }: AmendmentBody): string[] {
  const pairs: [string, string | null | undefined, string | null][] = [
    ['issuingInsurerCode', changes.issuingInsurerCode, before.insurer],
    ['policy.policyNumber', changes.policy?.policyNumber, before.policyNumber],
    ['certificate.cocNumber', changes.certificate?.cocNumber, before.cocNumber],
  ];
  return pairs.flatMap(([field, sent, held]) =>
    sent === undefined || text(sent) === held ? [] : `IMMUTABLE_FIELD changes.${field}`,
  );
}

/** Updates, then removals, then additions. Selectors refer to the current record. */
export function amendVehicles(record: ModelRecord, { changes }: AmendmentBody): AmendedVehicles {
  const findings: string[] = [];
  const entries = present(record);
  const kept = new Map(entries.map((entry) => [entry, entry.vehicle]));
  const find = (selector: VehicleBody, field: string): Entry | undefined => {
    const [kind, ...others] = IDENTIFIER_KINDS.filter((one) => identifier(selector[one]) !== null);
    const entry =
      kind === undefined || others.length > 0
        ? undefined
        : entries.find(({ vehicle }) => vehicle.ids[kind] === identifier(selector[kind]));
    if (entry !== undefined && kept.has(entry)) return entry;
    findings.push(`VEHICLE_NOT_ON_RECORD ${field}`);
    return undefined;
  };
  const updated = new Map<Entry, Amended['sent']>();
  changes.vehicles?.update?.forEach(({ match: selector, set }, index) => {
    const field = `changes.vehicles.update[${index}].match`;
    const entry = find(selector, field);
    if (entry === undefined) return;
    if (updated.has(entry)) findings.push(`INVALID_FORMAT ${field}`);
    else kept.set(entry, withMembers(entry.vehicle, set));
    const path = `changes.vehicles.update[${index}].set`;
    if (!updated.has(entry)) updated.set(entry, { path, names: Object.keys(set) });
  });
  const removed: Entry[] = [];
  changes.vehicles?.remove?.forEach((selector, index) => {
    const field = `changes.vehicles.remove[${index}]`;
    const entry = find(selector, field);
    if (entry === undefined) return;
    if (updated.has(entry)) findings.push(`INVALID_FORMAT ${field}`);
    removed.push(entry);
    kept.delete(entry);
  });
  const added = (changes.vehicles?.add ?? []).map(readVehicle);
  return {
    vehicles: [
      ...[...kept].map(([entry, vehicle]) => ({
        vehicle,
        entry,
        sent: updated.get(entry),
      })),
      ...added.map((vehicle, index) => ({
        vehicle,
        entry: undefined,
        sent: { path: `changes.vehicles.add[${index}]` },
      })),
    ],
    removed,
    findings,
  };
}

function withMembers(vehicle: ModelVehicle, set: VehicleBody): ModelVehicle {
  const { ids, sent, ...members } = readVehicle(set);
  const { ids: _ids, sent: _sent, ...others } = vehicle;
  return {
    ...others,
    ...onlyGiven(set, members),
    ids: { ...vehicle.ids, ...onlyGiven(set, ids) },
    sent: { ...vehicle.sent, ...onlyGiven(set, sent) },
  };
}

export function diffPaths(
  before: Submission,
  after: Submission,
  { vehicles, removed }: AmendedVehicles,
): string[] {
  const changed = (prefix: string, one: object, other: object) => {
    const held = new Map<string, unknown>(Object.entries(one));
    return Object.entries(other)
      .filter(([name, value]) => (held.get(name) ?? null) !== value)
      .map(([name]) => `${prefix}${name}`);
  };
  const heads = ({ effectiveDate, expirationDate, verification }: Submission) => ({
    effectiveDate,
    expirationDate,
    insurerVerificationReference: verification,
  });
  return [
    ...(before.pool === after.pool ? [] : ['poolCode']),
    ...changed('policy.', before.policy, after.policy),
    ...changed('certificate.', heads(before), heads(after)),
    ...changed('operator.', before.operator, after.operator),
    ...vehicles.flatMap(({ vehicle, entry }) =>
      entry === undefined
        ? [pathOf(vehicle)]
        : changed(`${pathOf(entry.vehicle)}.`, flat(entry.vehicle), flat(vehicle)),
    ),
    ...removed.map(({ vehicle }) => pathOf(vehicle)),
  ];
}

function flat({ ids, sent: _sent, ...members }: ModelVehicle): object {
  return { ...ids, ...members };
}

function pathOf({ ids }: ModelVehicle): string {
  return `vehicles[${ids.chassisNumber ?? ids.plateNumber ?? ''}]`;
}
