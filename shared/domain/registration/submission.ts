import { IDENTIFIER_KINDS, type IdentifierKind } from '../../contract/enums.ts';
import type {
  OperatorBody,
  TransmissionBody,
  VehicleBody,
} from '../../contract/machine/transmission.ts';
import type { ValidationBody } from '../../contract/machine/transmissions/validation.ts';
import { type Identifiers, normalizeIdentifier } from '../identifiers.ts';
import { normalizeText } from '../text.ts';

// A Submission is the content that a certificate would have: the sent body of a CREATE, or the record with the changes of an
// AMEND. It is also the snapshot of a version.

export interface SubmittedPolicy {
  readonly policyNumber: string | null;
  readonly issuanceDate: string | null;
  readonly coverageType: string | null;
  readonly premiumAmount: number | null;
  readonly officialReceiptNumber: string | null;
  readonly remarks: string | null;
}

export interface SubmittedCertificate {
  readonly cocNumber: string | null;
  readonly effectiveDate: string | null;
  readonly expirationDate: string | null;
  readonly insurerVerificationReference: string | null;
}

export interface SubmittedOperator {
  readonly name: string | null;
  readonly operatorType: string | null;
  readonly businessName: string | null;
  readonly tin: string | null;
  readonly address: string | null;
  readonly region: string | null;
  readonly contactEmail: string | null;
  readonly contactPhone: string | null;
  readonly caseNumber: string | null;
  readonly cpcNumber: string | null;
  readonly franchiseNumber: string | null;
}

/** Identifiers are normalized; `transmitted` keeps them as sent (D7). */
export interface SubmittedVehicle extends Identifiers {
  readonly transmitted: Readonly<Record<IdentifierKind, string | null>>;
  readonly vin: string | null;
  readonly make: string | null;
  readonly model: string | null;
  readonly series: string | null;
  readonly yearModel: number | null;
  readonly vehicleType: string | null;
  readonly denomination: string | null;
  readonly passengerCapacity: number | null;
  readonly caseNumber: string | null;
  readonly cpcNumber: string | null;
  readonly region: string | null;
  readonly province: string | null;
  readonly route: string | null;
}

export interface Submission {
  readonly issuingInsurerCode: string | null;
  readonly poolCode: string | null;
  readonly policy: SubmittedPolicy;
  readonly certificate: SubmittedCertificate;
  readonly operator: SubmittedOperator;
  readonly vehicles: readonly SubmittedVehicle[];
}

/** Reads a request body into the form that the four levels judge: normalized strings, null for absent values (D7). */
export function readSubmission(body: ValidationBody): Submission {
  return {
    issuingInsurerCode: normalizeText(body.issuingInsurerCode),
    poolCode: normalizeText(body.poolCode),
    policy: readPolicy(body.policy),
    certificate: readCertificate(body.certificate),
    operator: readOperator(body.operator),
    vehicles: body.vehicles.map(readVehicle),
  };
}

export function readPolicy(body: TransmissionBody['policy']): SubmittedPolicy {
  return {
    policyNumber: normalizeText(body.policyNumber),
    issuanceDate: normalizeText(body.issuanceDate),
    coverageType: normalizeText(body.coverageType),
    premiumAmount: body.premiumAmount ?? null,
    officialReceiptNumber: normalizeText(body.officialReceiptNumber),
    remarks: normalizeText(body.remarks),
  };
}

export function readCertificate(body: TransmissionBody['certificate']): SubmittedCertificate {
  return {
    cocNumber: normalizeText(body.cocNumber),
    effectiveDate: normalizeText(body.effectiveDate),
    expirationDate: normalizeText(body.expirationDate),
    insurerVerificationReference: normalizeText(body.insurerVerificationReference),
  };
}

export function readOperator(body: OperatorBody): SubmittedOperator {
  return {
    name: normalizeText(body.name),
    operatorType: normalizeText(body.operatorType),
    businessName: normalizeText(body.businessName),
    tin: normalizeText(body.tin),
    address: normalizeText(body.address),
    region: normalizeText(body.region),
    contactEmail: normalizeText(body.contactEmail),
    contactPhone: normalizeText(body.contactPhone),
    caseNumber: normalizeText(body.caseNumber),
    cpcNumber: normalizeText(body.cpcNumber),
    franchiseNumber: normalizeText(body.franchiseNumber),
  };
}

export function readVehicle(body: VehicleBody): SubmittedVehicle {
  return {
    plateNumber: normalizeIdentifier(body.plateNumber),
    mvFileNumber: normalizeIdentifier(body.mvFileNumber),
    engineNumber: normalizeIdentifier(body.engineNumber),
    chassisNumber: normalizeIdentifier(body.chassisNumber),
    transmitted: {
      plateNumber: body.plateNumber ?? null,
      mvFileNumber: body.mvFileNumber ?? null,
      engineNumber: body.engineNumber ?? null,
      chassisNumber: body.chassisNumber ?? null,
    },
    vin: normalizeText(body.vin),
    make: normalizeText(body.make),
    model: normalizeText(body.model),
    series: normalizeText(body.series),
    yearModel: body.yearModel ?? null,
    vehicleType: normalizeText(body.vehicleType),
    denomination: normalizeText(body.denomination),
    passengerCapacity: body.passengerCapacity ?? null,
    caseNumber: normalizeText(body.caseNumber),
    cpcNumber: normalizeText(body.cpcNumber),
    region: normalizeText(body.region),
    province: normalizeText(body.province),
    route: normalizeText(body.route),
  };
}

/** The first and the last day of a certificate's coverage (YYYY-MM-DD). */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The normalized plates of the vehicles that have one, in their order. */
export function platesOf(submission: Submission): string[] {
  const plates: string[] = [];
  for (const { plateNumber } of submission.vehicles) {
    if (plateNumber !== null) plates.push(plateNumber);
  }
  return plates;
}

/** One text for the four identifiers. It makes sets of vehicles comparable. */
export function vehicleSignature(identifiers: Identifiers): string {
  return IDENTIFIER_KINDS.map((kind) => identifiers[kind] ?? '').join('|');
}
