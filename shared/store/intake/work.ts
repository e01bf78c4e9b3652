import { Prisma } from '../../db/generated/client.ts';

// The size of a transmission, row `t` of transmissions, in the units of fair ranks, batches and estimates.

/** A change of a record is decided in its own transaction. In a batch it counts as this many certificates of one vehicle. */
const CHANGE_PLACES = 5;

/** A worker processes about this many vehicles of one certificate as fast as a certificate of one vehicle. */
const VEHICLES_PER_PLACE = 10;

/** What the limit of transmissions in a batch counts. */
export const PLACES = Prisma.sql`CASE t.kind WHEN 'CREATE' THEN 1 ELSE ${CHANGE_PLACES}::int END`;

/** What fair ranks and the limit of vehicles in a batch count: the vehicles, and for a change at least its places. */
export const WORK = Prisma.sql`greatest(t.vehicle_count, ${PLACES})`;

/** The work of a worker in certificates of one vehicle; at least 1. */
export const COST = Prisma.sql`greatest(t.vehicle_count / ${VEHICLES_PER_PLACE}::float8, ${PLACES})`;
