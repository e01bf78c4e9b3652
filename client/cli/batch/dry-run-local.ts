import { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { makeBatchSource } from '../input/batch-source.ts';
import type { Encoding } from '../input/read-text.ts';
import { requireUniqueIds } from '../input/unique-ids.ts';
import type { Console } from '../report.ts';

const PROBLEMS_SHOWN_MAX = 20;

/**
 * Checks the file and the form of every certificate on this machine, and sends nothing. What depends on the registry, such as a
 * cover in force, is not checked. Returns the exit code.
 */
export async function checkLocally(
  console: Console,
  file: string,
  encoding: Encoding,
): Promise<number> {
  let total = 0;
  let refused = 0;
  for await (const { body, line } of requireUniqueIds(file, makeBatchSource(file, encoding))) {
    total += 1;
    const parsed = TransmissionBody.safeParse(body);
    if (parsed.success) continue;
    refused += 1;
    if (refused > PROBLEMS_SHOWN_MAX) continue;
    const { policy, certificate, vehicles } = body;
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'the certificate'}: ${message}`,
    );
    console.message(
      `Line ${line}, policy ${policy?.policyNumber ?? '-'}, COC ${certificate?.cocNumber ?? '-'}, plate ${vehicles?.[0]?.plateNumber ?? '-'}: ${problems.join(' ')}`,
    );
  }
  if (refused > PROBLEMS_SHOWN_MAX) {
    console.message(`${refused - PROBLEMS_SHOWN_MAX} more have problems.`);
  }
  console.message(`${total} certificates read, ${refused} with problems. Nothing was sent.`);
  return refused > 0 ? EXIT_CODES.refused : EXIT_CODES.done;
}
