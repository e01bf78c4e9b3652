import type { TransmissionBody } from '../../../shared/contract/transmission.ts';
import { makeBody, makePlainVehicle } from '../../env/bodies.ts';

/** Vehicles on the certificates of a cell. */
export const SIZES = [1, 500] as const;
export type Size = (typeof SIZES)[number];

/** A certificate of so many vehicles that nothing knows yet; it is accepted without a flag. */
export function makeCertificate(vehicles: number): TransmissionBody {
  return makeBody({ vehicles: Array.from({ length: vehicles }, () => makePlainVehicle()) });
}
