import { Prisma } from './generated/client.ts';

/**
 * One row by its id, as an item of FROM. The LIMIT makes the planner look up the row by its primary key, whatever its
 * statistics say. Connections keep their plans: a plan made for an empty registry would scan whole tables while the first bulk
 * load fills them. Table and id are constants of the program.
 */
export function rowOf(table: string, id: string): Prisma.Sql {
  return Prisma.raw(`LATERAL (SELECT * FROM ${table} WHERE id = ${id} LIMIT 1)`);
}

/**
 * The rows of a table that meet a condition. OFFSET 0 keeps the planner from choosing an index for anything but this
 * condition.
 */
export function rowsWhere(table: string, condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`LATERAL (SELECT * FROM ${Prisma.raw(table)} WHERE ${condition} OFFSET 0)`;
}
