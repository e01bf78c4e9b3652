import type { Changes } from '../../contract/machine/amendment.ts';
import type { AmendedVehicle } from '../amendment/apply-changes.ts';

/** The part of the request that sent a vehicle of the amended record. */
export interface SentVehicle {
  readonly path: string;
  /** The members that an update sets; undefined for an added vehicle, which is sent completely. */
  readonly members: ReadonlySet<string> | undefined;
}

const OF_A_VEHICLE = /^vehicles\[(\d+)\](?:\.(\w+))?$/;

/**
 * The path in the request of a member of the amended record: `changes.operator.name` for `operator.name`, or
 * `changes.vehicles.add[0].make` for `vehicles[1].make`. Undefined for a member that the amendment does not change. The path
 * `vehicles` stands for the number of vehicles.
 */
export function findSentPath(
  path: string,
  changes: Changes,
  vehicles: readonly AmendedVehicle[],
): string | undefined {
  const [, position, member] = OF_A_VEHICLE.exec(path) ?? [];
  if (position !== undefined) return findPathInVehicle(vehicles[Number(position)]?.sent, member);
  if (path === 'vehicles') return findCountPath(changes);
  const [part, name] = path.split('.') as [string, string | undefined];
  const sent = (changes as Readonly<Record<string, unknown>>)[part];
  if (sent === undefined) return undefined;
  if (name === undefined) return `changes.${part}`;
  return typeof sent === 'object' && sent !== null && name in sent ? `changes.${path}` : undefined;
}

function findPathInVehicle(
  sent: SentVehicle | undefined,
  member: string | undefined,
): string | undefined {
  if (sent === undefined) return undefined;
  if (member === undefined) return sent.path;
  return sent.members === undefined || sent.members.has(member)
    ? `${sent.path}.${member}`
    : undefined;
}

function findCountPath({ vehicles }: Changes): string | undefined {
  if ((vehicles?.add?.length ?? 0) > 0) return 'changes.vehicles.add';
  return (vehicles?.remove?.length ?? 0) > 0 ? 'changes.vehicles.remove' : undefined;
}
