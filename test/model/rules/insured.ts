import type { AmendmentBody } from '../../../shared/contract/machine/amendment.ts';
import type { AmendedVehicles } from './changes.ts';
import { named } from './reading/read-body.ts';
import { sentAt } from './reading/sent.ts';
import type {
  Entry,
  ModelRecord,
  ModelState,
  ModelVehicle,
  ReadStates,
  Submission,
} from './state.ts';
import { everyName, holders, insuredFinding, type Match, periodOf, present } from './vehicles.ts';

/** Only changes of the amendment are checked: its dates, or the vehicles that it adds or renames. */
export function insuredFindings(
  { atFacts, atCovers }: ReadStates,
  record: ModelRecord,
  after: Submission,
  amended: AmendedVehicles,
  matches: readonly Match[],
  { changes }: AmendmentBody,
): string[] {
  const period = periodOf(after.effectiveDate, after.expirationDate);
  if (period === undefined) return [];
  const isSamePeriod =
    after.effectiveDate === record.effectiveDate && after.expirationDate === record.expirationDate;
  return amended.vehicles.flatMap(({ vehicle, entry }, index) => {
    const { owners = [], canonical } = matches[index] ?? {};
    const stays = entry !== undefined && entry.canonical === canonical;
    const names =
      stays && isSamePeriod
        ? gainedNames(atFacts, vehicle, entry, owners)
        : everyName(atFacts, vehicle.ids, owners);
    const blocking = holders(atCovers, names, period, record.key);
    const held = new Set(blocking.flatMap((one) => present(one).flatMap((each) => each.held)));
    const blocked = [...names].filter((one) => held.has(one));
    const paths = ['plateNumber', ...kindsNaming(atFacts, vehicle, owners, blocked)].flatMap(
      (kind) => sentAt(`vehicles[${index}].${kind}`, changes, amended) ?? [],
    );
    const plate = `vehicles[${index}].plateNumber`;
    return insuredFinding(index, blocking).map((finding) =>
      finding.replace(plate, paths[0] ?? plate),
    );
  });
}

/** The kinds of the sent identifiers that a covered vehicle has or once had. */
function kindsNaming(
  state: ModelState,
  { ids }: ModelVehicle,
  owners: readonly number[],
  blocked: readonly string[],
): string[] {
  const owned = owners.map((owner) => state.vehicles[owner]?.owned ?? []);
  const found = owned.filter((list) => list.some((one) => blocked.includes(one))).flat();
  return named(ids)
    .filter((one) => blocked.includes(one) || found.includes(one))
    .map((one) => one.split(':')[0] ?? '');
}

function gainedNames(
  state: ModelState,
  vehicle: ModelVehicle,
  { canonical, vehicle: before }: Entry,
  owners: readonly number[],
): Set<string> {
  const others = owners.filter((owner) => owner !== canonical);
  const gained = namedAnew(vehicle, before);
  return gained.length === 0
    ? new Set()
    : new Set([...gained, ...others.flatMap((owner) => state.vehicles[owner]?.owned ?? [])]);
}

/** Identifiers that are new on the certificate. Another certificate may hold them, even if the vehicle owns them. */
export function namedAnew(vehicle: ModelVehicle, before: ModelVehicle | undefined): string[] {
  const names = new Set(before && named(before.ids));
  return named(vehicle.ids).filter((one) => !names.has(one));
}
