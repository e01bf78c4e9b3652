import { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { makeBatchSource } from '../input/batch-source.ts';
import type { Encoding } from '../input/read-text.ts';
import { requireUniqueIds } from '../input/unique-ids.ts';
import type { Console } from '../report.ts';
import { describeRow, makeEmit } from './output.ts';
import { nameOf } from './plan.ts';

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
  const emit = makeEmit(console, isJson);
  let total = 0;
  let refused = 0;
  for await (const item of requireUniqueIds(file, makeBatchSource(file, encoding))) {
    total += 1;
    const parsed = TransmissionBody.safeParse(item.body);
    if (parsed.success) continue;
    refused += 1;
    const problems = parsed.error.issues.map(({ path, message }) => ({
      field: path.join('.') || 'the certificate',
      message,
    }));
    const named = nameOf(item);
    emit('problem', { ...named, problems });
    if (refused > PROBLEMS_SHOWN_MAX) continue;
    const texts = problems.map(({ field, message }) => `${field}: ${message}`);
    console.message(`${describeRow(named)}: ${texts.join(' ')}`);
  }
  if (refused > PROBLEMS_SHOWN_MAX) {
    console.message(`${refused - PROBLEMS_SHOWN_MAX} more have problems.`);
  }
  emit('checked', { total, refused });
  console.message(`${total} certificates read, ${refused} with problems. Nothing was sent.`);
  return refused > 0 ? EXIT_CODES.refused : EXIT_CODES.done;
}
