import { randomUUID } from 'node:crypto';
import { IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';
import type { SubmittedVehicle } from '../../../shared/domain/submission.ts';
import type { Db, Tx } from '../../../shared/store/db.ts';
import { identifierKey } from '../../../shared/store/identifier-key.ts';
import type { Registration, RegistrationAnswer } from './synchronous-express.ts';

const TIMEOUT_MS = 60_000;

/** One interactive transaction of the typed client: look for covers, then create policy, certificate and vehicles nested. */
export function registerNested(db: Db, registration: Registration): Promise<RegistrationAnswer> {
  return db.$transaction((tx) => register(tx, registration), { timeout: TIMEOUT_MS });
}

async function register(
  tx: Tx,
  { organizationId, raw, body, submission, requestHash }: Registration,
): Promise<RegistrationAnswer> {
  const from = new Date(submission.certificate.effectiveDate ?? '');
  const to = new Date(submission.certificate.expirationDate ?? '');
  const now = new Date();
  const isBlocked = await isInsured(tx, submission.vehicles, from, to);
  const [numbers] = await tx.$queryRaw<{ transmission: bigint; registry: bigint }[]>`
    SELECT nextval('transmission_sequence') AS transmission, nextval('registry_sequence') AS registry`;
  if (numbers === undefined) throw new Error('no sequence numbers');
  const status = isBlocked ? 'REJECTED' : 'ACCEPTED';
  const answer = {
    status,
    transmissionReference: `PPAI-TX-${now.getFullYear()}-${String(numbers.transmission).padStart(9, '0')}`,
    registryReference: `PPAI-${now.getFullYear()}-${String(numbers.registry).padStart(9, '0')}`,
    plateNumbers: submission.vehicles.map(({ plateNumber }) => plateNumber),
  } as const;
  const transmission = await tx.transmission.create({
    data: {
      id: randomUUID(),
      sequence: numbers.transmission,
      transmissionReference: answer.transmissionReference,
      organizationId,
      externalTransactionId: body.externalTransactionId,
      kind: 'CREATE',
      actor: 'bench',
      status,
      requestHash: new Uint8Array(requestHash),
      bodySealed: new Uint8Array(Buffer.from(JSON.stringify(raw))),
      vehicleCount: submission.vehicles.length,
      policyNumber: submission.policy.policyNumber,
      cocNumber: submission.certificate.cocNumber,
      issuingInsurerCode: submission.issuingInsurerCode,
      requestId: randomUUID(),
      receivedAt: now,
      completedAt: now,
      acknowledgment: answer,
    },
  });
  if (isBlocked) return answer;
  const vehicles = submission.vehicles.map((vehicle) => ({ id: randomUUID(), vehicle }));
  await tx.vehicle.createMany({
    data: vehicles.map(({ id, vehicle }) => ({
      id,
      plateNumber: vehicle.plateNumber ?? '',
      mvFileNumber: vehicle.mvFileNumber ?? '',
      engineNumber: vehicle.engineNumber ?? '',
      chassisNumber: vehicle.chassisNumber ?? '',
      make: vehicle.make,
      model: vehicle.model,
      yearModel: vehicle.yearModel,
      vehicleType: vehicle.vehicleType ?? '',
      denomination: vehicle.denomination ?? '',
      updatedAt: now,
    })),
  });
  await tx.vehicleIdentifier.createMany({
    data: vehicles.flatMap(({ id, vehicle }) =>
      identifiersOf(vehicle).map((identifier) => ({ ...identifier, rank: 0, vehicleId: id })),
    ),
  });
  await tx.policy.create({
    data: {
      id: randomUUID(),
      issuingInsurerId: organizationId,
      policyNumber: submission.policy.policyNumber ?? '',
      issuanceDate: new Date(submission.policy.issuanceDate ?? ''),
      coverageType: submission.policy.coverageType ?? '',
      premiumAmount: submission.policy.premiumAmount,
      createdAt: now,
      certificates: {
        create: {
          id: randomUUID(),
          registryReference: answer.registryReference,
          sequence: numbers.registry,
          cocNumber: submission.certificate.cocNumber ?? '',
          issuingInsurerId: organizationId,
          transmittingOrganizationId: organizationId,
          effectiveDate: from,
          expirationDate: to,
          operatorId: randomUUID(),
          operatorSealed: new Uint8Array(Buffer.from(JSON.stringify(submission.operator))),
          operatorRegion: submission.operator.region ?? '',
          registeredAt: now,
          versions: {
            create: {
              version: 1,
              createdAt: now,
              transmissionId: transmission.id,
              snapshotSealed: new Uint8Array(Buffer.from(JSON.stringify(submission))),
            },
          },
          vehicles: {
            create: vehicles.map(({ id, vehicle }, ordinal) => ({
              ordinal,
              vehicleId: id,
              registered: { ...vehicle, transmitted: undefined },
              transmitted: vehicle.transmitted,
              addedInVersion: 1,
            })),
          },
        },
      },
    },
  });
  return answer;
}

/** Looks, and trusts that nobody writes meanwhile, as such endpoints do. */
async function isInsured(
  tx: Tx,
  vehicles: readonly SubmittedVehicle[],
  from: Date,
  to: Date,
): Promise<boolean> {
  const keys = vehicles.flatMap((vehicle) => identifiersOf(vehicle).map(({ key }) => key));
  const owners = await tx.vehicleIdentifier.findMany({
    where: { key: { in: keys } },
    select: { vehicleId: true },
  });
  if (owners.length === 0) return false;
  const cover = await tx.certificateVehicle.findFirst({
    where: {
      vehicleId: { in: owners.map(({ vehicleId }) => vehicleId) },
      removedInVersion: null,
      certificate: {
        lifecycle: 'CURRENT',
        effectiveDate: { lte: to },
        expirationDate: { gte: from },
      },
    },
  });
  return cover !== null;
}

function identifiersOf(vehicle: SubmittedVehicle) {
  return IDENTIFIER_KINDS.flatMap((kind) => {
    const value = vehicle[kind];
    return value === null ? [] : { key: BigInt(identifierKey({ kind, value })), kind, value };
  });
}
