import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { makeBody, makePlainVehicle } from '../../env/api/bodies.ts';

/** Vehicles of a certificate in the scenarios that register. */
export const SIZES = [1, 500] as const;
export type Size = (typeof SIZES)[number];

/** A certificate for vehicles that the registry does not know yet. It is accepted without a flag. */
export function makeCertificate(insurerCode: string, vehicles: number): TransmissionBody {
  return makeBody({
    issuingInsurerCode: insurerCode,
    vehicles: Array.from({ length: vehicles }, makeVehicle),
  });
}

/** With numbers as long as those of real vehicles. */
function makeVehicle() {
  const vehicle = makePlainVehicle();
  return {
    ...vehicle,
    mvFileNumber: `1301000${vehicle.mvFileNumber}`,
    engineNumber: `4J${vehicle.engineNumber}`,
    chassisNumber: `JAANKR5${vehicle.chassisNumber}`,
  };
}

/** Hands out certificates that were made ahead of the measurement, and makes more when they run out. */
export function makeStock<Item>(count: number, make: () => Item): () => Item {
  const stock = Array.from({ length: count }, make);
  return () => stock.pop() ?? make();
}

export function toBytes(body: object): Buffer {
  return Buffer.from(JSON.stringify(body));
}
