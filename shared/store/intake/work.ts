import { Prisma } from '../../db/generated/client.ts';

// What a transmission, row `t` of transmissions, is as work: for an organization's share, for a batch and for the workers.

/**
 * A change of a record is decided under its lock, in a transaction of its own: of a batch and of an organization's share
 * it takes the place of so many certificates of one vehicle.
 */
const CHANGE_WORK = 5;

/** So many vehicles of one certificate are settled about as fast as a certificate of one. */
const VEHICLES_PER_PLACE = 10;

/** Its places among the transmissions of a batch. */
export const PLACES = Prisma.sql`CASE t.kind WHEN 'CREATE' THEN 1 ELSE ${CHANGE_WORK}::int END`;

/** Its vehicles, but for a change: what organizations have equal shares of. */
export const WORK = Prisma.sql`greatest(t.vehicle_count, ${PLACES})`;

/** What a worker needs for it, in certificates of one vehicle; 1 at least. */
export const COST = Prisma.sql`greatest(t.vehicle_count / ${VEHICLES_PER_PLACE}::float8, ${PLACES})`;
