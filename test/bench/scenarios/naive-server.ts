import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import express from 'express';
import { IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';
import { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { type Prisma, PrismaClient } from '../../../shared/db/generated/client.ts';
import { reportReady } from '../../../shared/platform/config/supervised.ts';

// The naive peer: the endpoint as a competent newcomer writes it with Express and Prisma. It validates and registers within the
// request, with nested creates in one interactive transaction, and leaves the one-cover rule (D9) to an exclusion constraint. It
// does not authenticate, seal, limit or log, and it has no queue: a crash loses what is under way.

const BODY_LIMIT = '1mb';
const TRANSACTION_MS_MAX = 60_000;

const EXCLUSION_CONSTRAINT = `
  CREATE TABLE naive_covers (
    identifier text NOT NULL, certificate_id uuid NOT NULL, during daterange NOT NULL,
    EXCLUDE USING gist (identifier WITH =, during WITH &&)
  )`;

type Tx = Prisma.TransactionClient;
type Vehicle = TransmissionBody['vehicles'][number];

const connectionString = process.env['DATABASE_URL'];
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
await prisma.$executeRawUnsafe(EXCLUSION_CONSTRAINT);
const insurer = await prisma.organization.findUniqueOrThrow({
  where: { code: process.env['INSURER_CODE'] ?? '' },
});

const app = express();
app.use(express.json({ limit: BODY_LIMIT }));
app.post('/policies', async (request, response) => {
  const body = TransmissionBody.parse(request.body);
  const registered = await prisma.$transaction((tx) => register(tx, body), {
    maxWait: TRANSACTION_MS_MAX,
    timeout: TRANSACTION_MS_MAX,
  });
  response.status(registered === undefined ? 422 : 201).json({ data: registered });
});
const server = app.listen(0, '127.0.0.1', () => {
  reportReady({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));

/** Undefined when a vehicle is insured already. */
async function register(tx: Tx, body: TransmissionBody) {
  const from = new Date(body.certificate.effectiveDate ?? '');
  const to = new Date(body.certificate.expirationDate ?? '');
  if (await isInsured(tx, body.vehicles, from, to)) return undefined;
  const [numbers] = await tx.$queryRaw<{ transmission: bigint; registry: bigint }[]>`
    SELECT nextval('transmission_sequence') AS transmission, nextval('registry_sequence') AS registry`;
  if (numbers === undefined) throw new Error('no numbers');
  const answer = {
    status: 'ACCEPTED',
    transmissionReference: `PPAI-TX-2026-${String(numbers.transmission).padStart(9, '0')}`,
    registryReference: `PPAI-2026-${String(numbers.registry).padStart(9, '0')}`,
  };
  const transmissionId = randomUUID();
  const certificateId = randomUUID();
  await tx.transmission.create({
    data: {
      ...answer,
      ...transmissionColumns(body),
      id: transmissionId,
      sequence: numbers.transmission,
      acknowledgment: answer,
      registryReference: undefined,
    },
  });
  await tx.policy.create({
    data: {
      ...policyColumns(body),
      certificates: {
        create: {
          ...certificateColumns(body, from, to),
          id: certificateId,
          registryReference: answer.registryReference,
          sequence: numbers.registry,
          versions: { create: versionColumns(body, transmissionId) },
          vehicles: { create: body.vehicles.map(vehicleColumns) },
        },
      },
    },
  });
  const identifiers = body.vehicles.flatMap(identifiersOf);
  await tx.$executeRaw`
    INSERT INTO naive_covers (identifier, certificate_id, during)
    SELECT i, ${certificateId}::uuid, daterange(${from}::date, ${to}::date, '[]')
    FROM unnest(${identifiers.map(({ kind, value }) => `${kind}:${value}`)}::text[]) AS i`;
  return answer;
}

async function isInsured(tx: Tx, vehicles: readonly Vehicle[], from: Date, to: Date) {
  const keys = vehicles.flatMap(identifiersOf).map(({ key }) => key);
  const owners = await tx.vehicleIdentifier.findMany({
    where: { key: { in: keys } },
    select: { vehicleId: true },
  });
  if (owners.length === 0) return false;
  const cover = await tx.certificateVehicle.findFirst({
    where: {
      vehicleId: { in: owners.map(({ vehicleId }) => vehicleId) },
      certificate: { effectiveDate: { lte: to }, expirationDate: { gte: from } },
    },
  });
  return cover !== null;
}

function transmissionColumns(body: TransmissionBody) {
  const json = Buffer.from(JSON.stringify(body));
  return {
    organizationId: insurer.id,
    externalTransactionId: body.externalTransactionId,
    kind: 'CREATE',
    actor: 'naive',
    requestHash: createHash('sha256').update(json).digest(),
    bodySealed: new Uint8Array(json),
    vehicleCount: body.vehicles.length,
    requestId: randomUUID(),
    receivedAt: new Date(),
    completedAt: new Date(),
  };
}

function policyColumns({ policy }: TransmissionBody) {
  return {
    id: randomUUID(),
    issuingInsurerId: insurer.id,
    policyNumber: policy.policyNumber ?? '',
    issuanceDate: new Date(policy.issuanceDate ?? ''),
    coverageType: policy.coverageType ?? '',
    createdAt: new Date(),
  };
}

function certificateColumns({ certificate, operator }: TransmissionBody, from: Date, to: Date) {
  return {
    cocNumber: certificate.cocNumber ?? '',
    issuingInsurerId: insurer.id,
    transmittingOrganizationId: insurer.id,
    effectiveDate: from,
    expirationDate: to,
    operatorId: randomUUID(),
    operatorSealed: new Uint8Array(Buffer.from(JSON.stringify(operator))),
    operatorRegion: operator.region ?? '',
    registeredAt: new Date(),
  };
}

function versionColumns(body: TransmissionBody, transmissionId: string) {
  const snapshotSealed = new Uint8Array(Buffer.from(JSON.stringify(body)));
  return { version: 1, createdAt: new Date(), transmissionId, snapshotSealed };
}

function vehicleColumns(vehicle: Vehicle, ordinal: number) {
  const { plateNumber, mvFileNumber, engineNumber, chassisNumber } = vehicle;
  return {
    ordinal,
    registered: { ...vehicle },
    transmitted: { plateNumber, mvFileNumber, engineNumber, chassisNumber },
    addedInVersion: 1,
    vehicle: {
      create: {
        id: randomUUID(),
        plateNumber: plateNumber ?? '',
        mvFileNumber: mvFileNumber ?? '',
        engineNumber: engineNumber ?? '',
        chassisNumber: chassisNumber ?? '',
        make: vehicle.make ?? null,
        model: vehicle.model ?? null,
        yearModel: vehicle.yearModel ?? null,
        vehicleType: vehicle.vehicleType ?? '',
        denomination: vehicle.denomination ?? '',
        updatedAt: new Date(),
        identifiers: { create: identifiersOf(vehicle) },
      },
    },
  };
}

function identifiersOf(vehicle: Vehicle) {
  return IDENTIFIER_KINDS.map((kind) => {
    const value = vehicle[kind] ?? '';
    return { key: keyOf(kind, value), rank: 0, kind, value };
  });
}

/** The first 64 bits of SHA-256, as a signed number. */
function keyOf(kind: string, value: string): bigint {
  return createHash('sha256').update(`${kind}:${value}`).digest().readBigInt64BE();
}
