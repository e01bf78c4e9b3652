import { IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';
import { type Db, sqlState, type Tx } from '../../../shared/db/prisma.ts';
import type {
  Submission,
  SubmittedVehicle,
} from '../../../shared/domain/registration/submission.ts';
import { newId } from '../../../shared/platform/new-id.ts';
import { identifierKey } from '../../../shared/store/registry/commit/identifier-key.ts';
import type { Registration, RegistrationAnswer } from './synchronous-express.ts';

/** What such an endpoint keeps its covers in: the constraint is PostgreSQL's own for periods that must not overlap. */
export const SYNCHRONOUS_CLAIMS = `
  CREATE TABLE IF NOT EXISTS synchronous_claims (
    key bigint NOT NULL, certificate_id uuid NOT NULL, during daterange NOT NULL,
    EXCLUDE USING gist (key WITH =, during WITH &&)
  );
  CREATE INDEX IF NOT EXISTS synchronous_claims_certificate ON synchronous_claims (certificate_id)`;

const TIMEOUT_MS = 60_000;
const EXCLUSION_VIOLATION = '23P01';

/**
 * One interactive transaction of the typed client: look for covers, create policy, certificate and vehicles nested, and claim
 * every identifier under the exclusion constraint, in the one statement of its own that ranges need. Who is second learns it
 * from the constraint.
 */
export async function registerNested(
  db: Db,
  registration: Registration,
): Promise<RegistrationAnswer> {
  try {
    return await registerWith(db, registration, claimIdentifiers);
  } catch (error) {
    if (sqlState(error) !== EXCLUSION_VIOLATION) throw error;
    return { status: 'REJECTED' };
  }
}

/** The same without claims: two requests at the same moment can insure one vehicle twice. */
export function registerUnguarded(db: Db, registration: Registration): Promise<RegistrationAnswer> {
  return registerWith(db, registration, async () => {});
}

type Claim = (tx: Tx, rows: RegisteredRows, certificateId: string) => Promise<void>;

function registerWith(
  db: Db,
  registration: Registration,
  claim: Claim,
): Promise<RegistrationAnswer> {
  return db.$transaction((tx) => register(tx, registration, claim), { timeout: TIMEOUT_MS });
}

async function register(
  tx: Tx,
  { organizationId, raw, body, submission, requestHash }: Registration,
  claim: Claim,
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
      id: newId(),
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
      requestId: newId(),
      receivedAt: now,
      completedAt: now,
      acknowledgment: answer,
    },
  });
  if (isBlocked) return answer;
  const rows = { organizationId, submission, numbers, answer, transmission, from, to, now };
  const certificateId = newId();
  await tx.policy.create({ data: policyOf(rows, certificateId) });
  await claim(tx, rows, certificateId);
  return answer;
}

interface RegisteredRows {
  readonly organizationId: string;
  readonly submission: Submission;
  readonly numbers: { readonly registry: bigint };
  readonly answer: { readonly registryReference: string };
  readonly transmission: { readonly id: string };
  readonly from: Date;
  readonly to: Date;
  readonly now: Date;
}

const claimIdentifiers: Claim = async (tx, { submission, from, to }, certificateId) => {
  const identifiers = submission.vehicles.flatMap(identifiersOf);
  await tx.$executeRaw`
    INSERT INTO synchronous_claims (key, certificate_id, during)
    SELECT i.key, ${certificateId}::uuid, daterange(${from}::date, ${to}::date, '[]')
    FROM vehicle_identifiers i WHERE i.key = ANY(${identifiers.map(({ key }) => key)}::bigint[]) ORDER BY i.key`;
};

/** With its certificate, the version, the vehicles and their identifiers. */
function policyOf(
  { organizationId, submission, numbers, answer, transmission, from, to, now }: RegisteredRows,
  certificateId: string,
) {
  return {
    id: newId(),
    issuingInsurerId: organizationId,
    policyNumber: submission.policy.policyNumber ?? '',
    issuanceDate: new Date(submission.policy.issuanceDate ?? ''),
    coverageType: submission.policy.coverageType ?? '',
    premiumAmount: submission.policy.premiumAmount,
    createdAt: now,
    certificates: {
      create: {
        id: certificateId,
        registryReference: answer.registryReference,
        sequence: numbers.registry,
        cocNumber: submission.certificate.cocNumber ?? '',
        issuingInsurerId: organizationId,
        transmittingOrganizationId: organizationId,
        effectiveDate: from,
        expirationDate: to,
        operatorId: newId(),
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
          create: submission.vehicles.map((vehicle, ordinal) => ({
            ...placeOf(vehicle, ordinal),
            vehicle: {
              create: {
                ...vehicleOf(vehicle, now),
                identifiers: { create: identifiersOf(vehicle) },
              },
            },
          })),
        },
      },
    },
  };
}

function placeOf(vehicle: SubmittedVehicle, ordinal: number) {
  return {
    ordinal,
    registered: { ...vehicle, transmitted: undefined },
    transmitted: vehicle.transmitted,
    addedInVersion: 1,
  };
}

function vehicleOf(vehicle: SubmittedVehicle, now: Date) {
  return {
    id: newId(),
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
  };
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
    return value === null
      ? []
      : { key: BigInt(identifierKey({ kind, value })), rank: 0, kind, value };
  });
}
