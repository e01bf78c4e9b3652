import { Prisma } from './generated/client.ts';

/**
 * One row by its id, as an item of FROM. The LIMIT makes the planner use the primary key, whatever the statistics say.
 * Connections keep their plans, and a plan made for an empty registry would scan whole tables while the first bulk load fills
 * them. Danger: table and id are raw SQL and must be constants of the program.
 */
export function rowOf(table: string, id: string): Prisma.Sql {
  return Prisma.raw(`LATERAL (SELECT * FROM ${table} WHERE id = ${id} LIMIT 1)`);
}

/**
 * The rows of a table that meet a condition. OFFSET 0 makes the planner choose the index for this condition alone.
 */
export function rowsWhere(table: string, condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`LATERAL (SELECT * FROM ${Prisma.raw(table)} WHERE ${condition} OFFSET 0)`;
}
