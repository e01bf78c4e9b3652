import type { DataOf } from '../../../api/contract.ts';
import { countOf } from '../../../words.ts';

type Verification = DataOf<'verifyAudit'>;

export interface VerificationWords {
  readonly tone: 'good' | 'warning' | 'error';
  readonly title: string;
  readonly text: string;
}

/** The result of a verification, in words, with what to do. */
export function describeVerification(
  result: Verification,
  wasCompared: boolean,
): VerificationWords {
  if (result.state === 'BROKEN') return describeBroken(result);
  const { head, verifiedFrom } = result;
  const last = head?.sequence ?? 0;
  const verified = `${describeEntries(verifiedFrom ?? 1, last)}${
    wasCompared ? ', and the log still contains the head that you gave' : ''
  }.`;
  if (result.state === 'NOT_SEALED')
    return {
      tone: 'warning',
      title: 'The log is sound, but its last entry has no seal.',
      text: `${verified} Without the seal nobody can tell whether entries were removed from the end. The operator seals the log with the command seal-audit.`,
    };
  return {
    tone: 'good',
    title: 'The log is sound.',
    text: `${verified} The last entry is sealed.`,
  };
}

function describeEntries(first: number, last: number): string {
  if (last === 0) return 'The log has no entry yet';
  if (first === 1)
    return `${countOf(last, 'entry', 'entries')} verified, from the first to the last`;
  const [from, to] = [first.toLocaleString('en'), last.toLocaleString('en')];
  return `The entries from ${from} to ${to} are verified; the command verify-audit verifies the earlier ones too`;
}

function describeBroken({ brokenAt, reason }: Verification): VerificationWords {
  return {
    tone: 'error',
    title:
      brokenAt === null
        ? 'The log is not sound.'
        : `The log is not sound from entry ${brokenAt.toLocaleString('en')} on.`,
    text: `${reason === null ? '' : `The registry found: ${reason}. `}Somebody may have changed the database. Do not delete anything; tell the operator and whoever is responsible for security.`,
  };
}
