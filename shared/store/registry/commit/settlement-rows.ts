import {
  IDENTIFIER_KINDS,
  type IdentifierKind,
  type TerminalStatus,
} from '../../../contract/enums.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { Acknowledgment } from '../../../contract/machine/acknowledgment.ts';
import { arrayLiteral, jsonArrayLiteral } from '../../../db/large-parameters.ts';
import { jsonInPieces } from '../../../db/text-in-pieces.ts';
import type {
  CertificateVehicleRow,
  Claim,
  Cover,
  NewIdentifier,
  RegistryWrites,
  VehicleRow,
} from '../../../domain/registration/writes.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';
import { BorneKeys, keyArray, keysIn } from './identifier-key.ts';
import { RegisteredVehicles } from './registered-vehicles.ts';

// What a settlement writes, in the form in which its statement takes it: what there is of each vehicle as columns, in which
// vehicles, certificates and days of cover stand by their places in lists; the few other rows as JSON, which costs the database
// several times as much to read.
//
// What is called for each of hundreds of rows is made once, here: a function that is made again for each certificate loses
// what was compiled of it each time that the collector has been through the heap (docs/scaling.md).

/** The end of one transmission, written only by the holder of its fencing number. */
export interface Settlement {
  readonly id: string;
  readonly fence: number;
  readonly status: TerminalStatus;
  /** Stored and served as its JSON text. */
  readonly acknowledgment: Acknowledgment;
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

/** All that the statement takes, each large part as one text or, what is keys, in the database's binary form. */
export function settlementColumns(
  keyring: Keyring,
  settlements: readonly Settlement[],
  writes: RegistryWrites,
  keys: BorneKeys = new BorneKeys([]),
) {
  const vehicles = new Places<string>();
  const certificates = new Places<string>();
  const registered = new RegisteredVehicles(writes.certificateVehicles);
  const columns = {
    ...identifierColumns(writes, vehicles, keys),
    ...settledColumns(settlements),
    ...columnsOf(writes.vehicles, OF_VEHICLES),
    ...certificateVehicleColumns(writes.certificateVehicles, certificates, vehicles, registered),
    rows: otherRows(keyring, writes, registered),
  };
  const vehicleIds = arrayLiteral(vehicles.values);
  const certificateIds = arrayLiteral(certificates.values);
  return { ...columns, vehicleIds, certificateIds };
}

/** Columns of the identifiers that vehicles come to own, of claims, and of the covers that both name by their places. */
function identifierColumns(
  { vehicles: rows, identifiers, claims, reliesOn: { unclaimed } }: RegistryWrites,
  vehicles: Places<string>,
  keys: BorneKeys,
) {
  const covers = new Places<Cover>();
  const unknown = rows.filter(isUnknown);
  const claimedKeys = keyArray(claims);
  const columns = {
    ...ownedColumns(unknown, identifiers, vehicles, covers),
    ownedKeys: keys.arrayOf(unknown, identifiers),
    claimedKeys,
    claimedCovers: placesIn(covers, claims.map(coverOf)),
    required: arrayLiteral(claims.map(isRequired)),
    turns: arrayLiteral(turnsOf(keysIn(claimedKeys))),
    unclaimedKeys: keyArray(unclaimed),
    unclaimedCovers: placesIn(covers, unclaimed.map(coverOf)),
  };
  return { ...columns, ...columnsOf(covers.values, OF_COVERS) };
}

function isUnknown({ cover }: VehicleRow): boolean {
  return cover !== null;
}

/** First what vehicles come to own that nobody knows, all that they bear. */
function ownedColumns(
  unknown: readonly VehicleRow[],
  identifiers: readonly NewIdentifier[],
  vehicles: Places<string>,
  covers: Places<Cover>,
) {
  const ranks: number[] = [];
  const kinds: IdentifierKind[] = [];
  const values: string[] = [];
  const owners: number[] = [];
  const ownCovers: (number | null)[] = [];
  for (const row of unknown) {
    const owner = vehicles.of(row.id);
    const cover = row.cover && covers.of(row.cover);
    for (const kind of IDENTIFIER_KINDS) {
      ranks.push(0);
      kinds.push(kind);
      values.push(row[kind]);
      owners.push(owner);
      ownCovers.push(cover);
    }
  }
  for (const { rank, kind, value, vehicleId, cover } of identifiers) {
    ranks.push(rank);
    kinds.push(kind);
    values.push(value);
    owners.push(vehicles.of(vehicleId));
    ownCovers.push(cover && covers.of(cover));
  }
  return {
    ranks: arrayLiteral(ranks),
    kinds: arrayLiteral(kinds),
    values: arrayLiteral(values),
    owners: arrayLiteral(owners),
    ownCovers: arrayLiteral(ownCovers),
  };
}

const OF_COVERS = {
  claiming: ({ certificateId }: Cover) => certificateId,
  since: ({ from }: Cover) => from,
  until: ({ to }: Cover) => to,
};

function isRequired({ required }: Claim): boolean {
  return required;
}

function vehicleIdOf({ vehicleId }: { readonly vehicleId: string }): string {
  return vehicleId;
}

function coverOf({ cover }: { readonly cover: Cover | null }): Cover | null {
  return cover;
}

/** Counts the claims on each identifier, which are granted one after the other. */
function turnsOf(keys: Iterable<string>): number[] {
  const turns = new Map<string, number>();
  const counted: number[] = [];
  for (const key of keys) {
    const turn = (turns.get(key) ?? 0) + 1;
    turns.set(key, turn);
    counted.push(turn);
  }
  return counted;
}

function settledColumns(settlements: readonly Settlement[]) {
  return {
    ...columnsOf(settlements, OF_SETTLEMENTS),
    // JSON, whose elements keep their text.
    acknowledgments: jsonInPieces(settlements.map(acknowledgmentOf)),
  };
}

const OF_SETTLEMENTS = {
  settledIds: ({ id }: Settlement) => id,
  statuses: ({ status }: Settlement) => status,
  errorCodes: ({ errorCode }: Settlement) => errorCode,
  settledCertificates: ({ certificateId }: Settlement) => certificateId,
  completions: ({ completedAt }: Settlement) => completedAt.toISOString(),
};

function acknowledgmentOf({ acknowledgment }: Settlement): Acknowledgment {
  return acknowledgment;
}

const OF_VEHICLES = {
  ids: ({ id }: VehicleRow) => id,
  areNew: ({ isNew }: VehicleRow) => isNew,
  areRenamed: ({ isRenamed }: VehicleRow) => isRenamed,
  plateNumbers: ({ plateNumber }: VehicleRow) => plateNumber,
  mvFileNumbers: ({ mvFileNumber }: VehicleRow) => mvFileNumber,
  engineNumbers: ({ engineNumber }: VehicleRow) => engineNumber,
  chassisNumbers: ({ chassisNumber }: VehicleRow) => chassisNumber,
  makes: ({ make }: VehicleRow) => make,
  models: ({ model }: VehicleRow) => model,
  yearModels: ({ yearModel }: VehicleRow) => yearModel,
  vehicleTypes: ({ vehicleType }: VehicleRow) => vehicleType,
  denominations: ({ denomination }: VehicleRow) => denomination,
};

function certificateVehicleColumns(
  rows: readonly CertificateVehicleRow[],
  certificates: Places<string>,
  vehicles: Places<string>,
  registered: RegisteredVehicles,
) {
  return {
    ...columnsOf(rows, OF_CERTIFICATE_VEHICLES),
    covering: placesIn(certificates, rows.map(certificateIdOf)),
    covered: placesIn(vehicles, rows.map(vehicleIdOf)),
    registered: registered.column(),
    transmitted: jsonArrayLiteral(rows.map(transmittedOf)),
  };
}

const OF_CERTIFICATE_VEHICLES = {
  ordinals: ({ ordinal }: CertificateVehicleRow) => ordinal,
  referenceMatches: ({ referenceMatch }: CertificateVehicleRow) => referenceMatch,
  addedIn: ({ addedInVersion }: CertificateVehicleRow) => addedInVersion,
};

function certificateIdOf({ certificateId }: CertificateVehicleRow): string {
  return certificateId;
}

function transmittedOf({ transmitted }: CertificateVehicleRow): string | null {
  return transmitted === null ? null : JSON.stringify(transmitted);
}

/** Operators and snapshots sealed. */
function otherRows(
  keyring: Keyring,
  { policies, certificates, versions, flags }: RegistryWrites,
  registered: RegisteredVehicles,
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
        .seal(
          registered.snapshotJson({ ...version, snapshot }),
          `${version.certificateId}/${version.version}`,
        )
        .toString('base64'),
    })),
  });
}

type Element = string | number | boolean | null;

/** A column under each name, of what is read of each row under it. */
function columnsOf<Row, Name extends string>(
  rows: readonly Row[],
  readings: Readonly<Record<Name, (row: Row) => Element>>,
): Record<Name, string> {
  const columns = {} as Record<Name, string>;
  for (const name in readings) columns[name] = arrayLiteral(rows.map(readings[name]));
  return columns;
}

/** The places of values as a column; null where there is none. */
function placesIn<Value>(places: Places<Value>, values: readonly (Value | null)[]): string {
  const found: (number | null)[] = [];
  for (const value of values) found.push(value === null ? null : places.of(value));
  return arrayLiteral(found);
}
