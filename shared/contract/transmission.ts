import { z } from 'zod';
import { DENOMINATIONS, OPERATOR_TYPES, REGIONS, VEHICLE_TYPES } from './enums.ts';

/** api.md, "Limits". */
export const VEHICLES_MAX = 500;
export const BODY_BYTES_MAX = 1_048_576;
export const PREMIUM_MAX = 1_000_000_000;
export const PASSENGER_CAPACITY_MAX = 100;
export const YEAR_MODEL_MIN = 1950;
export const YEAR_MODEL_MAX = 2100;

const text = (max: number) => z.string().max(max).nullish();
const date = () => z.string().max(10).describe('ISO 8601 calendar date, YYYY-MM-DD.').nullish();
const numberText = () =>
  z
    .string()
    .max(64)
    .describe(
      'NFKC-normalized and trimmed; then ASCII letters, digits, punctuation, Ñ, ñ and single spaces. Upper and lower case differ.',
    )
    .nullish();
const oneOf = (values: readonly string[]) =>
  z
    .string()
    .describe(`One of ${values.join(', ')}.`)
    .nullish();

export const ExternalTransactionId = z
  .string()
  .regex(
    /^[A-Za-z0-9._:-]{8,100}$/,
    '8 to 100 letters, digits, dots, underscores, colons or hyphens',
  )
  .describe('The idempotency key: unique in your organization across all operations.');

// Strings that must hold an enum value, a date or an address are plain strings here: a wrong one is a
// level 2 finding of a recorded transmission, not a failure of the schema (D6).

export const PolicyBody = z
  .object({
    policyNumber: numberText(),
    issuanceDate: date(),
    coverageType: text(64),
    premiumAmount: z.number().nullish().describe(`0 to ${PREMIUM_MAX}.`),
    officialReceiptNumber: text(64),
    remarks: text(1000),
  })
  .meta({ id: 'PolicyBody' });

export const CertificateBody = z
  .object({
    cocNumber: numberText(),
    effectiveDate: date(),
    expirationDate: date(),
    insurerVerificationReference: text(128),
  })
  .meta({ id: 'CertificateBody' });

export const OperatorBody = z
  .object({
    name: text(255),
    operatorType: oneOf(OPERATOR_TYPES),
    businessName: text(255),
    tin: text(20),
    address: text(500),
    region: oneOf(REGIONS),
    contactEmail: text(255),
    contactPhone: text(32),
    caseNumber: text(64),
    cpcNumber: text(64),
    franchiseNumber: text(64),
  })
  .meta({ id: 'OperatorBody' });

export const VehicleBody = z
  .object({
    plateNumber: text(16),
    mvFileNumber: text(32),
    engineNumber: text(32),
    chassisNumber: text(32),
    vin: text(32),
    make: text(64),
    model: text(64),
    series: text(64),
    yearModel: z
      .int()
      .nullish()
      .describe(`${YEAR_MODEL_MIN} to ${YEAR_MODEL_MAX}, not in the future.`),
    vehicleType: oneOf(VEHICLE_TYPES),
    denomination: oneOf(DENOMINATIONS),
    passengerCapacity: z.int().nullish().describe(`1 to ${PASSENGER_CAPACITY_MAX}.`),
    caseNumber: text(64),
    cpcNumber: text(64),
    region: oneOf(REGIONS),
    province: text(128),
    route: text(500),
  })
  .meta({ id: 'VehicleBody' });

/** api.md, "Transmission request body": what the schema checks; the four levels check the rest. */
export const TransmissionBody = z
  .object({
    externalTransactionId: ExternalTransactionId,
    issuingInsurerCode: text(32),
    poolCode: text(32),
    policy: PolicyBody,
    certificate: CertificateBody,
    operator: OperatorBody,
    vehicles: z.array(VehicleBody).max(VEHICLES_MAX),
  })
  .meta({ id: 'TransmissionBody' });
export type TransmissionBody = z.infer<typeof TransmissionBody>;
export type VehicleBody = z.infer<typeof VehicleBody>;
export type OperatorBody = z.infer<typeof OperatorBody>;
