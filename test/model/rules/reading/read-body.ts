import { IDENTIFIER_KINDS } from '../../../../shared/contract/enums.ts';
import type {
  TransmissionBody,
  VehicleBody,
} from '../../../../shared/contract/machine/transmission.ts';
import type { Ids, ModelVehicle, PolicyDetails, Submission } from '../state.ts';

/** D7: trims a text; an empty one counts as absent. */
export function text(value: string | null | undefined): string | null {
  const trimmed = value?.normalize('NFKC').trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

/** D7: converts to upper case, without spaces, hyphens, dots, slashes and underscores. */
export function identifier(value: string | null | undefined): string | null {
  return text(
    text(value)
      ?.toUpperCase()
      .replaceAll(/[ \-./_]/g, ''),
  );
}

export function readBody(body: TransmissionBody): Submission {
  const { policy, certificate } = body;
  return {
    insurer: text(body.issuingInsurerCode),
    pool: text(body.poolCode),
    policyNumber: text(policy.policyNumber),
    policy: readPolicy(policy),
    cocNumber: text(certificate.cocNumber),
    effectiveDate: text(certificate.effectiveDate),
    expirationDate: text(certificate.expirationDate),
    verification: text(certificate.insurerVerificationReference),
    operator: readOperator(body.operator),
    vehicles: body.vehicles.map(readVehicle),
  };
}

export function readPolicy(policy: TransmissionBody['policy']): PolicyDetails {
  return {
    issuanceDate: text(policy.issuanceDate),
    coverageType: text(policy.coverageType),
    premiumAmount: policy.premiumAmount ?? null,
    officialReceiptNumber: text(policy.officialReceiptNumber),
    remarks: text(policy.remarks),
  };
}

export function readOperator(
  operator: TransmissionBody['operator'],
): Readonly<Record<string, string | null>> {
  return Object.fromEntries(Object.entries(operator).map(([name, value]) => [name, text(value)]));
}

export function readVehicle(body: VehicleBody): ModelVehicle {
  return {
    ids: idsOf((kind) => identifier(body[kind])),
    sent: idsOf((kind) => body[kind] ?? null),
    make: text(body.make),
    vehicleType: text(body.vehicleType),
    denomination: text(body.denomination),
    passengerCapacity: body.passengerCapacity ?? null,
    yearModel: body.yearModel ?? null,
    region: text(body.region),
  };
}

export function idsOf(value: (kind: (typeof IDENTIFIER_KINDS)[number]) => string | null): Ids {
  return Object.fromEntries(IDENTIFIER_KINDS.map((kind) => [kind, value(kind)])) as Ids;
}

/** `kind:value` of the present identifiers, the most specific first. */
export function named(ids: Ids): string[] {
  return IDENTIFIER_KINDS.flatMap((kind) => (ids[kind] === null ? [] : `${kind}:${ids[kind]}`));
}
