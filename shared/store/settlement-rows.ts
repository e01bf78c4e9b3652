import type { TerminalStatus } from '../contract/enums.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { IdentifierOnDays, RegistryWrites } from '../domain/writes.ts';
import type { Keyring } from '../platform/sealing.ts';
import { identifierKey } from './identifier-key.ts';
import { arrayLiteral, jsonArrayLiteral } from './large-parameters.ts';

// What a settlement writes, in the form in which its statement takes it: what there is of each vehicle as columns, in which
// vehicles, certificates and days of cover stand by their places in lists; the few other rows as JSON, which costs the database
// several times as much to read.

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

/** Values, each once, and the place of each, counted from 1 as in the database's arrays. */
class Places<Value> {
  readonly values: Value[] = [];
  readonly #places = new Map<string, number>();

  of(name: string, value: Value): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const place = this.values.push(value);
    this.#places.set(name, place);
    return place;
  }
}

/** All that the statement takes, each large part as one text. */
export function settlementColumns(
  keyring: Keyring,
  settlements: readonly Settlement[],
  writes: RegistryWrites,
) {
  const vehicles = new Places<string>();
  const certificates = new Places<string>();
  const { demanded, ...claims } = claimColumns(writes, vehicles);
  const columns = {
    ...claims,
    ...settledColumns(settlements),
    ...vehicleColumns(writes.vehicles),
    ...identifierColumns(writes.identifiers, vehicles),
    ...certificateVehicleColumns(writes.certificateVehicles, certificates, vehicles),
    rows: otherRows(keyring, writes),
  };
  const vehicleIds = arrayLiteral(vehicles.values);
  const certificateIds = arrayLiteral(certificates.values);
  return { large: { ...columns, vehicleIds, certificateIds }, demanded };
}

/**
 * Columns of the claims, and how many identifiers each certificate must get. What must be unclaimed is claimed with them:
 * who claimed it before is seen, and who comes to claim it waits until the transaction ends.
 */
function claimColumns(
  { claims, reliesOn: { unclaimed } }: RegistryWrites,
  vehicles: Places<string>,
) {
  const keys: string[] = [];
  const covers: number[] = [];
  const claimedFor: number[] = [];
  const known = new Places<IdentifierOnDays>();
  // Those of one certificate come one after another.
  let latest: { readonly one: IdentifierOnDays; readonly place: number } | undefined;
  const coverOf = (one: IdentifierOnDays): number => {
    if (latest !== undefined && isSameCover(latest.one, one)) return latest.place;
    const place = known.of(`${one.certificateId} ${one.from} ${one.to}`, one);
    latest = { one, place };
    return place;
  };
  const demanded = new Map<string, Set<string>>();
  const claim = (one: IdentifierOnDays, vehicleId: string, isRequired: boolean) => {
    const { certificateId } = one;
    const key = identifierKey(one);
    keys.push(key);
    covers.push(coverOf(one));
    claimedFor.push(vehicles.of(vehicleId, vehicleId));
    if (!isRequired) return;
    const ofCertificate = demanded.get(certificateId);
    if (ofCertificate === undefined) demanded.set(certificateId, new Set([key]));
    else ofCertificate.add(key);
  };
  for (const one of claims) claim(one, one.vehicleId, one.required);
  for (const one of unclaimed) claim(one, NO_VEHICLE, true);
  return {
    keys: arrayLiteral(keys),
    covers: arrayLiteral(covers),
    claimedFor: arrayLiteral(claimedFor),
    claiming: arrayLiteral(known.values.map(({ certificateId }) => certificateId)),
    since: arrayLiteral(known.values.map(({ from }) => from)),
    until: arrayLiteral(known.values.map(({ to }) => to)),
    demanded: {
      certificateIds: [...demanded.keys()],
      identifiers: [...demanded.values()].map(({ size }) => size),
    },
  };
}

function isSameCover(one: IdentifierOnDays, other: IdentifierOnDays): boolean {
  return (
    one.certificateId === other.certificateId && one.from === other.from && one.to === other.to
  );
}

function settledColumns(settlements: readonly Settlement[]) {
  const column = columnOf(settlements);
  return {
    settledIds: column(({ id }) => id),
    statuses: column(({ status }) => status),
    errorCodes: column(({ errorCode }) => errorCode),
    settledCertificates: column(({ certificateId }) => certificateId),
    completions: column(({ completedAt }) => completedAt.toISOString()),
    // JSON, whose elements keep their text.
    acknowledgments: `[${settlements.map(({ acknowledgmentJson }) => acknowledgmentJson).join(',')}]`,
  };
}

function vehicleColumns(vehicles: RegistryWrites['vehicles']) {
  const column = columnOf(vehicles);
  return {
    ids: column(({ id }) => id),
    areNew: column(({ isNew }) => isNew),
    areRenamed: column(({ isRenamed }) => isRenamed),
    plateNumbers: column(({ plateNumber }) => plateNumber),
    mvFileNumbers: column(({ mvFileNumber }) => mvFileNumber),
    engineNumbers: column(({ engineNumber }) => engineNumber),
    chassisNumbers: column(({ chassisNumber }) => chassisNumber),
    makes: column(({ make }) => make),
    models: column(({ model }) => model),
    yearModels: column(({ yearModel }) => yearModel),
    vehicleTypes: column(({ vehicleType }) => vehicleType),
    denominations: column(({ denomination }) => denomination),
  };
}

/** The identifiers that vehicles come to own. */
function identifierColumns(identifiers: RegistryWrites['identifiers'], vehicles: Places<string>) {
  const column = columnOf(identifiers);
  return {
    ownedKeys: column(identifierKey),
    ranks: column(({ rank }) => rank),
    owners: column(({ vehicleId }) => vehicles.of(vehicleId, vehicleId)),
    kinds: column(({ kind }) => kind),
    values: column(({ value }) => value),
  };
}

function certificateVehicleColumns(
  places: RegistryWrites['certificateVehicles'],
  certificates: Places<string>,
  vehicles: Places<string>,
) {
  const column = columnOf(places);
  return {
    covering: column(({ certificateId }) => certificates.of(certificateId, certificateId)),
    ordinals: column(({ ordinal }) => ordinal),
    covered: column(({ vehicleId }) => vehicles.of(vehicleId, vehicleId)),
    registered: JSON.stringify(places.map(({ registered }) => registered)),
    transmitted: jsonArrayLiteral(
      places.map(({ transmitted }) => (transmitted === null ? null : JSON.stringify(transmitted))),
    ),
    referenceMatches: column(({ referenceMatch }) => referenceMatch),
    addedIn: column(({ addedInVersion }) => addedInVersion),
  };
}

/** Operators and snapshots sealed. */
function otherRows(
  keyring: Keyring,
  { policies, certificates, versions, flags }: RegistryWrites,
): string {
  return JSON.stringify({
    policies,
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

function columnOf<Row>(rows: readonly Row[]) {
  return (of: (row: Row) => string | number | boolean | null): string => arrayLiteral(rows.map(of));
}
