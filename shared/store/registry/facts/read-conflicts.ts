import type { Tx } from '../../../db/prisma.ts';
import type { Facts } from '../../../domain/rules/facts.ts';
import { type BlockersQuestion, readBlockers } from './read-blockers.ts';
import type { FactsMoment } from './read-facts.ts';
import { readRelated } from './read-related.ts';

/**
 * Reads what `readFacts` leaves empty: the covers that block a submission (D9), and the last records of conflicting vehicles
 * (D10). Decide again with them.
 *
 * @throws {StaleRead} The facts have changed since they were read.
 */
export async function readConflicts(
  tx: Tx,
  question: BlockersQuestion,
  moment: FactsMoment,
): Promise<Pick<Facts, 'blockers' | 'related'>> {
  const related = await readRelated(tx, question.matched, question.exceptCertificateId);
  const blockers = await readBlockers(tx, question, moment);
  return { blockers, related };
}
