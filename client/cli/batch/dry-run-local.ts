import { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { makeBatchSource } from '../input/batch-source.ts';
import type { Encoding } from '../input/read-text.ts';
import { requireUniqueIds } from '../input/unique-ids.ts';
import type { Console } from '../report.ts';

const PROBLEMS_SHOWN_MAX = 20;

/**
 * Checks the file and the form of every certificate on this machine, and sends nothing. What depends on the registry, such as a
 * cover in force, is not checked. With `isJson` each problem is an event on standard output. Returns the exit code.
 */
export async function checkLocally(
  console: Console,
  file: string,
  encoding: Encoding,
  isJson: boolean,
): Promise<number> {
  const emit = (event: string, data: object) => {
    if (isJson) console.data(JSON.stringify({ event, at: new Date().toISOString(), ...data }));
  };
  let total = 0;
  let refused = 0;
  for await (const { body, line } of requireUniqueIds(file, makeBatchSource(file, encoding))) {
    total += 1;
    const parsed = TransmissionBody.safeParse(body);
    if (parsed.success) continue;
    refused += 1;
    const problems = parsed.error.issues.map(({ path, message }) => ({
      field: path.join('.') || 'the certificate',
      message,
    }));
    emit('problem', { line, externalTransactionId: body.externalTransactionId, problems });
    if (refused <= PROBLEMS_SHOWN_MAX) console.message(describeProblems(body, line, problems));
  }
  if (refused > PROBLEMS_SHOWN_MAX) {
    console.message(`${refused - PROBLEMS_SHOWN_MAX} more have problems.`);
  }
  emit('checked', { total, refused });
  console.message(`${total} certificates read, ${refused} with problems. Nothing was sent.`);
  return refused > 0 ? EXIT_CODES.refused : EXIT_CODES.done;
}

/** Names the row as a person finds it. */
function describeProblems(
  { policy, certificate, vehicles }: TransmissionBody,
  line: number,
  problems: readonly { readonly field: string; readonly message: string }[],
): string {
  const named = `Line ${line}, policy ${policy?.policyNumber ?? '-'}, COC ${certificate?.cocNumber ?? '-'}, plate ${vehicles?.[0]?.plateNumber ?? '-'}`;
  return `${named}: ${problems.map(({ field, message }) => `${field}: ${message}`).join(' ')}`;
}
