import type {
  TransmissionBody,
  VehicleBody,
} from '../../../shared/contract/machine/transmission.ts';
import { makeBody, makePlainVehicle, uniqueNumber } from '../../env/api/bodies.ts';

/** Vehicles on the certificates of a cell. */
export const SIZES = [1, 500] as const;
export type Size = (typeof SIZES)[number];

/** A certificate of so many vehicles that nothing knows yet; it is accepted without a flag. */
export function makeCertificate(vehicles: number): TransmissionBody {
  return makeBody({ vehicles: Array.from({ length: vehicles }, makeVehicle) });
}

/**
 * With numbers as long as those of real vehicles: 15 digits of the MV file, 12 characters of the engine, 17 of the chassis. V8
 * keeps every value of up to ten characters that it parses once in a table, which ids of tests alone would fill.
 */
function makeVehicle(): VehicleBody {
  const vehicle = makePlainVehicle();
  return {
    ...vehicle,
    mvFileNumber: `1301000${vehicle.mvFileNumber}`,
    engineNumber: `4J${vehicle.engineNumber}`,
    chassisNumber: `JAANKR5${vehicle.chassisNumber}`,
  };
}

/** One vehicle each, of the insurers in turn; made by the hundred thousand. */
export function* makeCertificates(insurerCodes: readonly string[]): Generator<TransmissionBody> {
  const { policy, certificate, ...rest } = makeBody();
  for (let made = 0; ; made += 1) {
    yield {
      ...rest,
      externalTransactionId: uniqueNumber('EXT'),
      issuingInsurerCode: insurerCodes[made % insurerCodes.length] ?? null,
      policy: { ...policy, policyNumber: uniqueNumber('POL') },
      certificate: { ...certificate, cocNumber: uniqueNumber('COC') },
      vehicles: [makeVehicle()],
    };
  }
}
