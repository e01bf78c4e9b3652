import { IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';
import type { VehicleBody } from '../../../shared/contract/machine/transmission.ts';
import { makeVehicle, unique, uniqueNumber } from '../../env/api/bodies.ts';
import type { SignedRequest, TestAnswer } from '../../env/api/signed-request.ts';
import { type RecordWorld, recordBody } from '../../env/records/record-world.ts';

/** A client of every organization, and of every type of organization (startRecordWorld). */
export const CLIENTS = [
  'alpha',
  'bravo',
  'charlie',
  'mgt-one',
  'alpha-read-only',
  'verifier',
  'dormant',
] as const;
export type ClientName = (typeof CLIENTS)[number];

export interface Ownership {
  readonly transmitter: ClientName;
  readonly insurer: string;
  readonly poolCode?: string;
  /** Who sees the records (D23). */
  readonly seers: readonly ClientName[];
  /** Who may look the transmissions up by reference (D4); by external id only the transmitter. */
  readonly readers: readonly ClientName[];
}

/** POOL-NORTH is led by alpha, managed by mgt-one, and `alpha-read-only` reads for it; `verifier` for the regulator. */
export const OWNERSHIPS: Readonly<Record<string, Ownership>> = {
  'alpha alone': ownedAlone('alpha'),
  'bravo alone': ownedAlone('bravo'),
  'charlie alone': ownedAlone('charlie'),
  'bravo in its pool': {
    transmitter: 'bravo',
    insurer: 'INS-BRAVO',
    poolCode: 'POOL-NORTH',
    seers: ['alpha', 'bravo', 'mgt-one', 'alpha-read-only', 'verifier'],
    readers: ['bravo', 'verifier'],
  },
  'bravo through its lead insurer': {
    transmitter: 'alpha',
    insurer: 'INS-BRAVO',
    seers: ['alpha', 'bravo', 'verifier'],
    readers: ['alpha', 'bravo', 'verifier'],
  },
  'bravo through its management company': {
    transmitter: 'mgt-one',
    insurer: 'INS-BRAVO',
    seers: ['bravo', 'mgt-one', 'verifier'],
    readers: ['bravo', 'mgt-one', 'verifier'],
  },
};

function ownedAlone(transmitter: 'alpha' | 'bravo' | 'charlie'): Ownership {
  const seers = [transmitter, 'verifier'] as const;
  return { transmitter, insurer: `INS-${transmitter.toUpperCase()}`, seers, readers: seers };
}

/** What names a flagged and amended record, a cancelled one, and their transmissions. */
export interface References {
  readonly records: readonly string[];
  readonly transmissions: readonly string[];
  readonly externalIds: readonly string[];
  readonly policyNumber: string;
  readonly cocNumber: string;
  /** The vehicle of the record that is in force, as it was before the amendment. */
  readonly vehicle: VehicleBody;
  readonly newPlate: string;
}

export async function makeOwned(world: RecordWorld, ownership: Ownership): Promise<References> {
  const { transmitter, insurer: issuingInsurerCode, poolCode } = ownership;
  const changes = { issuingInsurerCode, ...(poolCode === undefined ? {} : { poolCode }) };
  const vehicle = makeVehicle();
  const live = await world.register(transmitter, recordBody({ ...changes, vehicles: [vehicle] }));
  const newPlate = `N${unique().toString().padStart(6, '0')}`;
  const amended = await world.amend(transmitter, live.registryReference, {
    vehicles: {
      update: [{ match: { plateNumber: vehicle.plateNumber }, set: { plateNumber: newPlate } }],
    },
  });
  const ended = await world.register(transmitter, recordBody(changes));
  const cancelled = await world.cancel(transmitter, ended, '2026-10-15');
  const { policyNumber, cocNumber } = { ...live.body.policy, ...live.body.certificate };
  return {
    records: [live.registryReference, ended.registryReference],
    transmissions: [
      live.transmissionReference,
      amended.transmissionReference,
      cancelled.transmissionReference,
    ],
    externalIds: [
      live.body.externalTransactionId,
      amended.externalTransactionId,
      cancelled.externalTransactionId,
    ],
    policyNumber: policyNumber ?? '',
    cocNumber: cocNumber ?? '',
    vehicle,
    newPlate,
  };
}

/** References of the same form that name nothing. */
export function makeAbsent(): References {
  return {
    records: ['PPAI-2026-999999999', 'PPAI-2026-999999998'],
    transmissions: [1, 2, 3].map((one) => `PPAI-TX-2026-99999999${one}`),
    externalIds: [1, 2, 3].map(() => uniqueNumber('EXT')),
    policyNumber: uniqueNumber('POL'),
    cocNumber: uniqueNumber('COC'),
    vehicle: makeVehicle(),
    newPlate: 'N999999',
  };
}

const POLICIES = '/ppai/policies';
/** The lists of its history, what lies below them, and what is no route. */
const PARTS = [
  'amendments',
  'amendments/2/diff',
  'cancellation',
  'versions',
  'versions/1',
  'versions/1/vehicles',
  'vehicles',
  'vehicles?limit=1',
  'flags',
  'flags?cursor=abc',
  'transmissions',
  'history',
];

export function requestsAboutRecords(references: References): SignedRequest[] {
  const { records, policyNumber, cocNumber, vehicle, newPlate } = references;
  const criteria: Record<string, string>[] = [
    { policyNumber },
    { cocNumber },
    { policyNumber, cocNumber, status: 'ACTIVE' },
    { policyNumber, page: '2', pageSize: '1' },
    ...IDENTIFIER_KINDS.map((kind) => ({ [kind]: vehicle[kind] ?? '' })),
    { plateNumber: newPlate },
  ];
  return [
    ...records.flatMap((record) => {
      const path = `${POLICIES}/${record}`;
      return [
        { path },
        { path: `${path}/` },
        { path: path.toLowerCase() },
        ...PARTS.map((part) => ({ path: `${path}/${part}` })),
        ...changesOf(path, references),
      ];
    }),
    ...criteria.map((one) => ({
      path: `${POLICIES}/search?${new URLSearchParams(one).toString()}`,
    })),
  ];
}

/** Sound ones, ones with the wrong version, and ones that break the schema. */
function changesOf(path: string, { policyNumber, cocNumber }: References): SignedRequest[] {
  const amendment = (more: object): SignedRequest => ({
    path: `${path}/amendments`,
    body: {
      externalTransactionId: uniqueNumber('OTHER'),
      reason: 'mine now',
      changes: { policy: { remarks: 'mine' } },
      ...more,
    },
  });
  const cancellation = (more: object): SignedRequest => ({
    path: `${path}/cancellation`,
    body: {
      externalTransactionId: uniqueNumber('OTHER'),
      policyNumber,
      cocNumber,
      cancellationEffectiveDate: '2026-10-15',
      reasonCode: 'OTHER',
      reasonText: 'mine now',
      ...more,
    },
  });
  return [
    amendment({}),
    amendment({ expectedVersion: 77 }),
    amendment({ changes: 'all' }),
    cancellation({}),
    cancellation({ cocNumber: 'another' }),
    cancellation({ reasonText: 1 }),
  ];
}

export function lookUps(names: readonly string[]): SignedRequest[] {
  return names.map((name) => ({ path: `/ppai/transmissions/${name}` }));
}

const VARYING = new Set(['date', 'x-request-id', 'ratelimit', 'etag']);

/** All that tells two answers apart but the request's own id and what counts up with every request. */
export function essenceOf({ status, headers, envelope }: TestAnswer) {
  const { requestId: _own, ...error } = envelope.error ?? {};
  return {
    status,
    error,
    data: envelope.data,
    headers: Object.entries(headers).map(([name, value]) =>
      VARYING.has(name) ? name : { name, value },
    ),
  };
}

/** Every client with each ownership for which the condition holds, for `it.each`. */
export function pairsWhere(condition: (ownership: Ownership, client: ClientName) => boolean) {
  return Object.entries(OWNERSHIPS).flatMap(([name, ownership]) =>
    CLIENTS.filter((client) => condition(ownership, client)).map(
      (client) => [client, name, ownership] as const,
    ),
  );
}
