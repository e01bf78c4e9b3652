import { Prisma } from './generated/client.ts';

/**
 * The row under an id as an item of FROM. The limit keeps it apart from the rest of the statement: it is looked up by its key,
 * whatever the planner thinks of the table. What it thinks may be of an empty registry, in which any index seems as good
 * as the other and one that has the order of a join or of DISTINCT better, and connections keep their plans while the
 * first dump fills it. Table and id are texts of the program.
 */
export function rowOf(table: string, id: string): Prisma.Sql {
  return Prisma.raw(`LATERAL (SELECT * FROM ${table} WHERE id = ${id} LIMIT 1)`);
}

/** The rows of a table that fulfil a condition, in the same way; none of the table's other indexes can seem better. */
export function rowsWhere(table: string, condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`LATERAL (SELECT * FROM ${Prisma.raw(table)} WHERE ${condition} OFFSET 0)`;
}
