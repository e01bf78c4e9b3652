import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import type { Db } from '../../../../shared/db/prisma.ts';

const EXAMPLES_MAX = 5;

interface ReportRow {
  readonly outcome: string;
  readonly externalTransactionId: string;
  readonly transmissionReference: string;
  readonly registryReference: string;
}

/** The differences between the report of a batch and the database. Each certificate must be in both exactly once. */
export async function findReportProblems(
  db: Db,
  batch: string,
  count: number,
  report: string,
): Promise<string[]> {
  const stored = await readStored(db, batch);
  const problems: string[] = [];
  let rows = 0;
  for await (const row of readReport(report)) {
    rows += 1;
    const id = row.externalTransactionId;
    const told = describe(row.outcome.toUpperCase(), row);
    const is = stored.get(id) ?? 'not recorded';
    if (told !== is) problems.push(`${id} is reported as ${told}, and is ${is}`);
    stored.delete(id);
  }
  for (const [id, is] of stored)
    problems.push(`${id} is not in the report, or twice, and is ${is}`);
  if (rows !== count) problems.push(`the report has ${rows} of ${count} certificates`);
  return problems.length > EXAMPLES_MAX
    ? [`${problems.length} differences`, ...problems.slice(0, EXAMPLES_MAX)]
    : problems;
}

async function readStored(db: Db, batch: string): Promise<Map<string, string>> {
  const rows = await db.$queryRaw<
    { id: string; status: string; transmissionReference: string; registryReference: string }[]
  >`
    SELECT external_transaction_id AS id, status, transmission_reference AS "transmissionReference",
      coalesce(acknowledgment->>'registryReference', '') AS "registryReference"
    FROM transmissions WHERE batch = ${batch}`;
  return new Map(rows.map((row) => [row.id, describe(row.status, row)]));
}

function describe(
  status: string,
  {
    transmissionReference,
    registryReference,
  }: Pick<ReportRow, 'transmissionReference' | 'registryReference'>,
): string {
  return `${status} ${transmissionReference} ${registryReference}`;
}

function readReport(file: string): AsyncIterable<ReportRow> {
  return createReadStream(file).pipe(parse({ bom: true, columns: true }));
}
