import type { TerminalStatus } from '../contract/enums.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { keepSnapshot } from '../domain/snapshot.ts';
import type { Cover, RegistryWrites } from '../domain/writes.ts';
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

/** Values, each once, and the place of each, counted from 1 as in the database's arrays. */
class Places<Value> {
  readonly values: Value[] = [];
  readonly #places = new Map<Value, number>();

  of(value: Value): number {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    const place = this.values.push(value);
    this.#places.set(value, place);
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
  const columns = {
    ...identifierColumns(writes, vehicles),
    ...settledColumns(settlements),
    ...vehicleColumns(writes.vehicles),
    ...certificateVehicleColumns(writes.certificateVehicles, certificates, vehicles),
    rows: otherRows(keyring, writes),
  };
  const vehicleIds = arrayLiteral(vehicles.values);
  const certificateIds = arrayLiteral(certificates.values);
  return { ...columns, vehicleIds, certificateIds };
}

/** Columns of the identifiers that vehicles come to own, of claims, and of the covers that both name by their places. */
function identifierColumns(
  { identifiers, claims, reliesOn: { unclaimed } }: RegistryWrites,
  vehicles: Places<string>,
) {
  const covers = new Places<Cover>();
  const turnOf = countTurns();
  const owned = columnOf(identifiers);
  const claimed = columnOf(claims);
  const free = columnOf(unclaimed);
  const columns = {
    ownedKeys: owned(identifierKey),
    ranks: owned(({ rank }) => rank),
    owners: owned(({ vehicleId }) => vehicles.of(vehicleId)),
    kinds: owned(({ kind }) => kind),
    values: owned(({ value }) => value),
    ownCovers: owned(({ cover }) => (cover === null ? null : covers.of(cover))),
    claimedKeys: claimed(identifierKey),
    claimedCovers: claimed(({ cover }) => covers.of(cover)),
    required: claimed(({ required }) => required),
    turns: claimed((claim) => turnOf(identifierKey(claim))),
    unclaimedKeys: free(identifierKey),
    unclaimedCovers: free(({ cover }) => covers.of(cover)),
  };
  const named = columnOf(covers.values);
  return {
    ...columns,
    claiming: named(({ certificateId }) => certificateId),
    since: named(({ from }) => from),
    until: named(({ to }) => to),
  };
}

/** Counts the claims on an identifier, which are granted one after the other. */
function countTurns(): (key: string) => number {
  const turns = new Map<string, number>();
  return (key) => {
    const turn = (turns.get(key) ?? 0) + 1;
    turns.set(key, turn);
    return turn;
  };
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

function certificateVehicleColumns(
  places: RegistryWrites['certificateVehicles'],
  certificates: Places<string>,
  vehicles: Places<string>,
) {
  const column = columnOf(places);
  return {
    covering: column(({ certificateId }) => certificates.of(certificateId)),
    ordinals: column(({ ordinal }) => ordinal),
    covered: column(({ vehicleId }) => vehicles.of(vehicleId)),
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
        .seal(JSON.stringify(keepSnapshot(snapshot)), `${version.certificateId}/${version.version}`)
        .toString('base64'),
    })),
  });
}

function columnOf<Row>(rows: readonly Row[]) {
  return (of: (row: Row) => string | number | boolean | null): string => arrayLiteral(rows.map(of));
}
