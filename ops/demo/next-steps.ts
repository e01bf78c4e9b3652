import type { RegistryClient } from '../../client/registry-client.ts';
import { groupBy } from '../../shared/domain/group-by.ts';
import { describeSignIn } from './sign-in.ts';
import { type ItemOutcome, statusOf } from './transmit-batch.ts';

/** Commands to try with the records that were just registered, one per line. */
export function nextSteps(
  url: string,
  clientsFile: string,
  results: readonly ItemOutcome[],
): string[] {
  const byStatus = groupBy(results, ({ outcome }) => statusOf(outcome));
  const [accepted] = byStatus.get('ACCEPTED') ?? [];
  const [rejected] = byStatus.get('REJECTED') ?? [];
  const client = `npm run client -- --base-url ${url} --client-file ${clientsFile} --client`;
  const record = accepted?.outcome.ok ? accepted.outcome.data : undefined;
  return [
    'Try next:',
    `  ${url}/api/v1/docs   the reference; "Try it out" signs with the credentials in ${clientsFile}`,
    `  ${url}/console   the console of the regulator's staff; sign in as one of`,
    ...describeSignIn(clientsFile).map((line) => `      ${line}`),
    `  curl -s ${url}/health/live`,
    `  curl -s ${url}/api/v1/openapi.json`,
    ...(accepted && record
      ? [
          `  ${client} ${accepted.item.client} read ${record.registryReference}`,
          `  ${client} ${accepted.item.client} search --plate-number ${record.plateNumber}`,
          `  ${client} verifier coverage ${record.plateNumber}`,
        ]
      : []),
    ...(rejected
      ? [`  ${client} ${rejected.item.client} lookup ${rejected.item.body.externalTransactionId}`]
      : []),
  ];
}

/** The address of a registry that is already running there and accepts these credentials; undefined when there is none. */
export async function findRunning(
  url: string,
  registry: RegistryClient | undefined,
): Promise<string | undefined> {
  if (registry === undefined) return undefined;
  try {
    return (await registry.obtainToken()).ok ? url : undefined;
  } catch {
    return undefined;
  }
}
