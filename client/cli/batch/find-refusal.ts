import type { RegistryClient } from '../../registry-client.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { type Console, reportOutcome } from '../report.ts';

interface Sender {
  readonly console: Console;
  readonly clientId: string;
  readonly makeClient: () => Pick<RegistryClient, 'obtainToken'>;
}

/**
 * Obtains a token before anything is sent, so that wrong credentials, or a client that may not transmit, are told once instead of
 * for each certificate. Returns the exit code of what is wrong; undefined when the client may transmit.
 */
export async function findRefusal({
  console,
  clientId,
  makeClient,
}: Sender): Promise<number | undefined> {
  // Not patient: a wrong address or wrong credentials are told at once.
  const token = await makeClient().obtainToken();
  if (!token.ok) return reportOutcome(console, token);
  if (token.data.scope.split(' ').includes('ppai:transmit')) return undefined;
  console.message(
    `The client ${clientId} lacks the scope ppai:transmit. Nothing was sent: ask the regulator for it.`,
  );
  return EXIT_CODES.refused;
}
