import type { Changes } from '../../contract/machine/amendment.ts';
import type { AmendedVehicle } from '../amendment/apply-changes.ts';

/** Where a vehicle of the amended record was sent: all of it when it is added, else the members that are set. */
export interface SentVehicle {
  readonly path: string;
  /** Undefined: all. */
  readonly members: ReadonlySet<string> | undefined;
}

const OF_A_VEHICLE = /^vehicles\[(\d+)\](?:\.(\w+))?$/;

/**
 * Where a member of the amended record was sent: `operator.name` at `changes.operator.name`, `vehicles[1].make` at
 * `changes.vehicles.add[0].make`. Undefined for what the amendment leaves as it is. `vehicles` is where their number changes.
 */
export function sentAt(
  path: string,
  changes: Changes,
  vehicles: readonly AmendedVehicle[],
): string | undefined {
  const [, position, member] = OF_A_VEHICLE.exec(path) ?? [];
  if (position !== undefined) return sentInVehicle(vehicles[Number(position)]?.sent, member);
  if (path === 'vehicles') return numberChangedAt(changes);
  const [part, name] = path.split('.') as [string, string | undefined];
  const sent = (changes as Readonly<Record<string, unknown>>)[part];
  if (sent === undefined) return undefined;
  if (name === undefined) return `changes.${part}`;
  return typeof sent === 'object' && sent !== null && name in sent ? `changes.${path}` : undefined;
}

function sentInVehicle(
  sent: SentVehicle | undefined,
  member: string | undefined,
): string | undefined {
  if (sent === undefined) return undefined;
  if (member === undefined) return sent.path;
  return sent.members === undefined || sent.members.has(member)
    ? `${sent.path}.${member}`
    : undefined;
}

function numberChangedAt({ vehicles }: Changes): string | undefined {
  if ((vehicles?.add?.length ?? 0) > 0) return 'changes.vehicles.add';
  return (vehicles?.remove?.length ?? 0) > 0 ? 'changes.vehicles.remove' : undefined;
}
