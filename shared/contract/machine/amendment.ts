import { z } from 'zod';
import { text } from '../text.ts';
import {
  CertificateBody,
  ExternalTransactionId,
  OperatorBody,
  PolicyBody,
  VEHICLES_MAX,
  VehicleBody,
} from './transmission.ts';

/** Names a vehicle of the record by exactly one of its four identifiers (D14). */
export const VehicleSelector = z
  .object({
    plateNumber: text(16).nullish(),
    mvFileNumber: text(32).nullish(),
    engineNumber: text(32).nullish(),
    chassisNumber: text(32).nullish(),
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
    issuingInsurerCode: text(32, { isVisible: true })
      .nullish()
      .describe('Identifies the record, so it cannot change.'),
    poolCode: text(32).nullish(),
    policy: PolicyBody.nullish(),
    certificate: CertificateBody.nullish(),
    operator: OperatorBody.nullish(),
    vehicles: VehicleChanges.nullish(),
  })
  .meta({
    id: 'Changes',
    description: 'Only the fields that change; null clears an optional field.',
  });
export type Changes = z.infer<typeof Changes>;

/** D14. */
export const AmendmentBody = z
  .object({
    externalTransactionId: ExternalTransactionId,
    reason: text(1000, { lines: 'several', isVisible: true }).trim().min(1),
    expectedVersion: z.int().min(1).nullish(),
    changes: Changes,
  })
  .meta({ id: 'AmendmentBody' });
export type AmendmentBody = z.infer<typeof AmendmentBody>;
