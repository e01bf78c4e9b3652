import type { TerminalStatus } from '../contract/enums.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Claim, NewIdentifier, RegistryWrites } from '../domain/writes.ts';
import type { Keyring } from '../platform/sealing.ts';
import { identifierKey } from './identifier-key.ts';
import { arrayLiteral, textArrayLiteral } from './large-parameters.ts';

// What a settlement writes, in the form in which its statement takes it.

/** The end of one transmission, written only by the holder of its fencing number. */
export interface Settlement {
  readonly id: string;
  readonly fence: number;
  readonly status: TerminalStatus;
  /** Stored and served as this text. */
  readonly acknowledgmentJson: string;
  readonly errorCode: ErrorCode | null;
  readonly certificateId: string | null;
  readonly completedAt: Date;
}

/** Whose claim is given up at once. */
export const NO_VEHICLE = '00000000-0000-0000-0000-000000000000';

/**
 * Columns of the claims, and how many identifiers each certificate must get. What must be unclaimed is claimed with them:
 * who claimed it before is seen, and who comes to claim it waits until the transaction ends.
 */
export function claimColumns({ claims, reliesOn: { unclaimed } }: RegistryWrites) {
  const wanted: readonly Claim[] = [
    ...claims,
    ...unclaimed.map((one) => ({ ...one, vehicleId: NO_VEHICLE, required: true })),
  ];
  const demanded = new Map<string, Set<string>>();
  const keys = wanted.map(identifierKey);
  wanted.forEach(({ required, certificateId }, index) => {
    if (!required) return;
    const ofCertificate = demanded.get(certificateId) ?? new Set();
    demanded.set(certificateId, ofCertificate.add(keys[index] ?? ''));
  });
  const column = (of: (claim: Claim) => string) => arrayLiteral(wanted.map(of));
  return {
    large: {
      keys: arrayLiteral(keys),
      certificateIds: column(({ certificateId }) => certificateId),
      vehicleIds: column(({ vehicleId }) => vehicleId),
      since: column(({ from }) => from),
      until: column(({ to }) => to),
    },
    demanding: [...demanded.keys()],
    demanded: [...demanded.values()].map(({ size }) => size),
  };
}

/** Columns of the identifiers that vehicles come to own. */
export function identifierColumns(identifiers: RegistryWrites['identifiers']) {
  const column = (of: (one: NewIdentifier) => string) => arrayLiteral(identifiers.map(of));
  return {
    ownedKeys: column(identifierKey),
    ranks: column(({ rank }) => String(rank)),
    owners: column(({ vehicleId }) => vehicleId),
    kinds: column(({ kind }) => kind),
    values: textArrayLiteral(identifiers.map(({ value }) => value)),
  };
}

/** All other rows as one JSON text, operators and snapshots sealed. */
export function rowsOf(
  keyring: Keyring,
  settlements: readonly Settlement[],
  { policies, certificates, vehicles, certificateVehicles, versions, flags }: RegistryWrites,
): string {
  return JSON.stringify({
    settlements,
    policies,
    vehicles,
    certificateVehicles,
    flags,
    certificates: certificates.map(({ operator, ...certificate }) => ({
      ...certificate,
      operatorSealed: keyring
        .seal(JSON.stringify(operator), certificate.operatorId)
        .toString('base64'),
    })),
    versions: versions.map(({ snapshot, ...version }) => ({
      ...version,
      snapshotSealed: keyring
        .seal(JSON.stringify(snapshot), `${version.certificateId}/${version.version}`)
        .toString('base64'),
    })),
  });
}
