import { z } from 'zod';
import { RegistryDate } from '../dates.ts';
import { CoverageStatus, Denomination, IdentifierKind, VehicleType } from '../enums.ts';

export const CoverageQuery = z
  .object({
    asOf: RegistryDate.optional().describe(
      'Another day than today, such as the day of an accident. A certificate that was cancelled later still counts for past days before its cancellationEffectiveDate, unless it was issued in error. A vehicle that was removed later still counts for past days before its removal.',
    ),
  })
  .meta({ id: 'CoverageQuery' });

export const CoverageSpan = z
  .strictObject({
    insurerCode: z.string(),
    insurerName: z.string(),
    effectiveDate: z.iso.date(),
    expirationDate: z.iso.date(),
    coverageStatus: CoverageStatus.describe(
      'The status on that day. For a past day: CANCELLED if the certificate was cancelled later, SUPERSEDED if the vehicle was removed from it later.',
    ),
    registryReference: z
      .string()
      .nullable()
      .describe('Null when the record is not visible to the caller.'),
  })
  .meta({ id: 'CoverageSpan' });
export type CoverageSpan = z.infer<typeof CoverageSpan>;

/** D17, D27: no operator data. */
export const CoverageResult = z
  .strictObject({
    identifier: z.string(),
    matchedBy: IdentifierKind.describe(
      'The kind of identifier that matched; it may be a former one. If several vehicles have had it, the answer prefers a vehicle that is covered on the day.',
    ),
    asOf: z.iso.date(),
    covered: z.boolean(),
    vehicle: z.strictObject({
      plateNumber: z.string(),
      mvFileNumber: z.string(),
      engineNumber: z.string(),
      chassisNumber: z.string(),
      make: z.string().nullable(),
      model: z.string().nullable(),
      yearModel: z.int().nullable(),
      vehicleType: VehicleType,
      denomination: Denomination,
    }),
    coverage: CoverageSpan.nullable(),
    next: CoverageSpan.nullable().describe(
      'The first coverage of this vehicle that begins after the day and is not cancelled.',
    ),
    disclaimer: z.string(),
  })
  .meta({ id: 'CoverageResult' });
export type CoverageResult = z.infer<typeof CoverageResult>;
