import { z } from 'zod';
import {
  CertificateBody,
  ExternalTransactionId,
  OperatorBody,
  PolicyBody,
  VEHICLES_MAX,
  VehicleBody,
} from './transmission.ts';

/** Exactly one of the four identifiers, naming a vehicle of the record (D14). */
export const VehicleSelector = z
  .object({
    plateNumber: z.string().max(16).nullish(),
    mvFileNumber: z.string().max(32).nullish(),
    engineNumber: z.string().max(32).nullish(),
    chassisNumber: z.string().max(32).nullish(),
  })
  .meta({
    id: 'VehicleSelector',
    description: 'Exactly one identifier of a vehicle on the record.',
  });
export type VehicleSelector = z.infer<typeof VehicleSelector>;

export const VehicleChanges = z
  .object({
    add: z.array(VehicleBody).max(VEHICLES_MAX).nullish(),
    remove: z.array(VehicleSelector).max(VEHICLES_MAX).nullish(),
    update: z
      .array(z.object({ match: VehicleSelector, set: VehicleBody }))
      .max(VEHICLES_MAX)
      .nullish(),
  })
  .meta({ id: 'VehicleChanges' });

export const Changes = z
  .object({
    issuingInsurerCode: z.string().max(32).nullish().describe('Identity: cannot change.'),
    poolCode: z.string().max(32).nullish(),
    policy: PolicyBody.nullish(),
    certificate: CertificateBody.nullish(),
    operator: OperatorBody.nullish(),
    vehicles: VehicleChanges.nullish(),
  })
  .meta({ id: 'Changes', description: 'Only what changes; null clears an optional field.' });
export type Changes = z.infer<typeof Changes>;

/** D14. */
export const AmendmentBody = z
  .object({
    externalTransactionId: ExternalTransactionId,
    reason: z.string().trim().min(1).max(1000),
    expectedVersion: z.int().min(1).nullish(),
    changes: Changes,
  })
  .meta({ id: 'AmendmentBody' });
export type AmendmentBody = z.infer<typeof AmendmentBody>;
