import type { IdentifierKind } from '../../../shared/contract/enums.ts';
import type { RecordSummary } from '../../../shared/contract/machine/record.ts';
import type { Entry } from '../round-report.ts';
import type { World } from '../world.ts';

/** Maximum number of vehicles that are checked in a round. Each costs one request per client, and one more. */
const VEHICLES_MAX = 8;
const KINDS = ['plateNumber', 'engineNumber', 'chassisNumber'] as const satisfies IdentifierKind[];

/** Checks that a vehicle has one cover per day in the answers of the API to all insurers, and that the coverage check agrees. */
export async function findCoverageProblems(
  world: World,
  entries: readonly Entry[],
): Promise<string[]> {
  const contested = new Set<string>();
  const seen = new Set<string>();
  for (const { submission } of entries) {
    if (submission.kind !== 'CREATE') continue;
    for (const vehicle of submission.body.vehicles) {
      for (const kind of KINDS) {
        const value = vehicle[kind];
        if (typeof value !== 'string') continue;
        const name = `${kind} ${value}`;
        if (seen.has(name)) contested.add(name);
        seen.add(name);
      }
    }
  }
  const names = [...contested, ...seen].slice(0, VEHICLES_MAX);
  const problems = await Promise.all(names.map((name) => checkIdentifier(world, name)));
  return problems.flat();
}

async function checkIdentifier(world: World, name: string): Promise<string[]> {
  const [kind = '', value = ''] = name.split(' ');
  const found = new Map<string, RecordSummary>();
  for (const clientName of world.registrants) {
    const { data } = await world.client(clientName).searchRecords({ [kind]: value });
    for (const record of data?.items ?? []) found.set(record.registryReference, record);
  }
  const held = [...found.values()].filter(({ lifecycle }) => lifecycle === 'CURRENT');
  const problems = held.flatMap((one, index) =>
    held
      .slice(index + 1)
      .filter(
        (other) =>
          one.effectiveDate <= other.expirationDate && other.effectiveDate <= one.expirationDate,
      )
      .map(
        (other) =>
          `the API shows two in force on ${name}: ${one.registryReference}, ${other.registryReference}`,
      ),
  );
  const { status, data } = await world.client('alpha').checkCoverage(value);
  const isCovered = held.some(({ coverageStatus }) => coverageStatus !== 'UPCOMING');
  if (status === 404 ? held.length > 0 : data?.covered !== isCovered) {
    problems.push(
      `the coverage check of ${name} says ${status} ${data?.covered}, the records ${isCovered}`,
    );
  }
  return problems;
}
