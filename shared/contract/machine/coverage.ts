import { z } from 'zod';
import { RegistryDate } from '../dates.ts';
import { CoverageStatus, Denomination, IdentifierKind, VehicleType } from '../enums.ts';

export const CoverageQuery = z
  .object({
    asOf: RegistryDate.optional().describe(
      'Another day than today, such as that of an accident. A certificate that was cancelled since counts for past days before its cancellationEffectiveDate, unless it was issued in error; a vehicle that was removed since, for past days before its removal.',
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
      'On the day asked about. Of a past day: CANCELLED where the certificate was cancelled since, SUPERSEDED where the vehicle was removed from it since.',
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
      'What the identifier is, or was, of the vehicle. Of several vehicles that have had it, the answer is about one that is covered on the day, if any is.',
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
      'The first coverage of this vehicle that begins after the day; never one that was cancelled.',
    ),
    disclaimer: z.string(),
  })
  .meta({ id: 'CoverageResult' });
export type CoverageResult = z.infer<typeof CoverageResult>;
