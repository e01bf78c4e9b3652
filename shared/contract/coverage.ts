import { z } from 'zod';
import { CoverageStatus, Denomination, IdentifierKind, VehicleType } from './enums.ts';

export const CoverageQuery = z
  .object({
    asOf: z.iso.date().optional().describe('Another day than today, such as that of an accident.'),
  })
  .meta({ id: 'CoverageQuery' });

export const CoverageSpan = z
  .strictObject({
    insurerCode: z.string(),
    insurerName: z.string(),
    effectiveDate: z.iso.date(),
    expirationDate: z.iso.date(),
    coverageStatus: CoverageStatus,
    registryReference: z
      .string()
      .nullable()
      .describe('Null when the record is not visible to the caller.'),
  })
  .meta({ id: 'CoverageSpan' });
export type CoverageSpan = z.infer<typeof CoverageSpan>;

/** D17: no operator data. */
export const CoverageResult = z
  .strictObject({
    identifier: z.string(),
    matchedBy: IdentifierKind,
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
    next: CoverageSpan.nullable(),
    disclaimer: z.string(),
  })
  .meta({ id: 'CoverageResult' });
export type CoverageResult = z.infer<typeof CoverageResult>;
