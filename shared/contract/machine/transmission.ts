import { z } from 'zod';
import { decimalOf } from '../decimal.ts';
import { DENOMINATIONS, OPERATOR_TYPES, REGIONS, VEHICLE_TYPES } from '../enums.ts';
import { text } from '../text.ts';

/** api.md, "Limits". */
export const VEHICLES_MAX = 500;
export const BODY_BYTES_MAX = 1_048_576;
export const PREMIUM_MAX = 1_000_000_000;
export const PASSENGER_CAPACITY_MAX = 100;
export const YEAR_MODEL_MIN = 1950;
export const YEAR_MODEL_MAX = 2100;

/** Absent, or a text of one line. Level 1 checks that a `required` field is present. */
const optional = (max: number) => text(max).nullish();
const required = (max: number) => text(max, { isVisible: true }).nullish();
const inLines = (max: number) => text(max, { lines: 'several' }).nullish();
const date = () =>
  text(10, { isVisible: true }).describe('ISO 8601 calendar date, YYYY-MM-DD.').nullish();
const numberText = () =>
  text(64, { isVisible: true })
    .describe(
      'NFKC-normalized and trimmed; then ASCII letters, digits, punctuation, Ñ, ñ and single spaces. Upper and lower case differ.',
    )
    .nullish();
const oneOf = (values: readonly string[]) =>
  text(undefined, { isVisible: true })
    .describe(`One of ${values.join(', ')}.`)
    .nullish();

export const AMOUNT_DECIMALS_MAX = 2;
export const AMOUNT_DIGITS_MAX = 12;

/** An amount of money (D32). The JSON reader has already refused a number that a double would change. */
const Amount = z
  .number()
  .refine(
    isAmount,
    `Expected a number with at most ${AMOUNT_DECIMALS_MAX} decimals and ${AMOUNT_DIGITS_MAX} significant digits.`,
  );

function isAmount(value: number): boolean {
  const { digits, exponent } = decimalOf(String(value));
  return digits.length <= AMOUNT_DIGITS_MAX && exponent >= -AMOUNT_DECIMALS_MAX;
}

export const ExternalTransactionId = z
  .string()
  .regex(
    /^[A-Za-z0-9._:-]{8,100}$/,
    'Expected 8 to 100 letters, digits, dots, underscores, colons or hyphens.',
  )
  .describe('The idempotency key: unique in your organization across all operations.');

// An enum value, a date or an address is a plain string here: a wrong one is a level 2 finding of a recorded
// transmission, not a schema failure (D6).

export const PolicyBody = z
  .object({
    policyNumber: numberText(),
    issuanceDate: date(),
    coverageType: required(64),
    premiumAmount: Amount.nullish().describe(
      `0 to ${PREMIUM_MAX}, with at most ${AMOUNT_DECIMALS_MAX} decimals and ${AMOUNT_DIGITS_MAX} significant digits.`,
    ),
    officialReceiptNumber: optional(64),
    remarks: inLines(1000),
  })
  .meta({ id: 'PolicyBody' });

export const CertificateBody = z
  .object({
    cocNumber: numberText(),
    effectiveDate: date(),
    expirationDate: date(),
    insurerVerificationReference: optional(128),
  })
  .meta({ id: 'CertificateBody' });

export const OperatorBody = z
  .object({
    name: required(255),
    operatorType: oneOf(OPERATOR_TYPES),
    businessName: optional(255),
    tin: optional(20),
    address: inLines(500),
    region: oneOf(REGIONS),
    contactEmail: optional(255),
    contactPhone: optional(32),
    caseNumber: optional(64),
    cpcNumber: optional(64),
    franchiseNumber: optional(64),
  })
  .meta({ id: 'OperatorBody' });

export const VehicleBody = z
  .object({
    plateNumber: required(16),
    mvFileNumber: required(32),
    engineNumber: required(32),
    chassisNumber: required(32),
    vin: optional(32),
    make: optional(64),
    model: optional(64),
    series: optional(64),
    yearModel: z
      .int()
      .nullish()
      .describe(`${YEAR_MODEL_MIN} to ${YEAR_MODEL_MAX}, not in the future.`),
    vehicleType: oneOf(VEHICLE_TYPES),
    denomination: oneOf(DENOMINATIONS),
    passengerCapacity: z.int().nullish().describe(`1 to ${PASSENGER_CAPACITY_MAX}.`),
    caseNumber: optional(64),
    cpcNumber: optional(64),
    region: oneOf(REGIONS),
    province: optional(128),
    route: optional(500),
  })
  .meta({ id: 'VehicleBody' });

/** api.md, "Transmission request body". The schema checks the shape; the four levels check the rest. */
export const TransmissionBody = z
  .object({
    externalTransactionId: ExternalTransactionId,
    issuingInsurerCode: required(32),
    poolCode: optional(32),
    policy: PolicyBody,
    certificate: CertificateBody,
    operator: OperatorBody,
    vehicles: z.array(VehicleBody).max(VEHICLES_MAX),
  })
  .meta({ id: 'TransmissionBody' });
export type TransmissionBody = z.infer<typeof TransmissionBody>;
export type VehicleBody = z.infer<typeof VehicleBody>;
export type OperatorBody = z.infer<typeof OperatorBody>;
