import type { Attempt } from '../../transport.ts';
import { makeProgress, type Progress } from '../progress.ts';
import type { Console } from '../report.ts';
import type { Named, SettledLine } from './journal/journal-lines.ts';
import type { Totals } from './totals.ts';
import { describeTotals } from './totals.ts';

const REFUSALS_SHOWN_MAX = 20;
/** How often the same trouble is told again. */
const TOLD_AGAIN_MS = 60_000;

/** What a batch tells: messages for people, and with --json one event a line on standard output. */
export interface BatchOutput {
  /** `left` of `total` certificates are left to send. */
  start(left: number, total?: number): void;
  settled(line: SettledLine): void;
  attempted(attempt: Attempt): void;
  say(message: string): void;
  end(totals: Totals): void;
  stop(): void;
}

/** Prints an event as a line of NDJSON on standard output, if this is wanted. */
export function makeEmit(console: Console, isJson: boolean): (event: string, data: object) => void {
  return (event, data) => {
    if (isJson) console.data(JSON.stringify({ event, at: new Date().toISOString(), ...data }));
  };
}

export function makeBatchOutput(console: Console, isJson: boolean): BatchOutput {
  let progress: Progress | undefined;
  let refusals = 0;
  const toldAtMs = new Map<string, number>();
  const emit = makeEmit(console, isJson);
  function tell(kind: 'throttled' | 'unreachable', message: string, data: object): void {
    const now = Date.now();
    if (now - (toldAtMs.get(kind) ?? 0) < TOLD_AGAIN_MS) return;
    toldAtMs.set(kind, now);
    console.message(message);
    emit(kind, data);
  }

  return {
    start(left, total = left) {
      emit('started', { total, left });
      progress = makeProgress(left, process.stderr, (line) => console.message(line));
    },
    settled(line) {
      progress?.advance(line.errorCode ?? line.end);
      emit('settled', line);
      if (line.end !== 'rejected' && line.end !== 'failed') return;
      refusals += 1;
      if (refusals <= REFUSALS_SHOWN_MAX) console.message(describeRefusal(line));
      if (refusals === REFUSALS_SHOWN_MAX) {
        console.message('Further refusals are only in the journal and in the report.');
      }
    },
    attempted({ status, retryAfterSeconds, reason }) {
      if (status === 429) {
        const wait = retryAfterSeconds === null ? '' : `; it asks to wait ${retryAfterSeconds} s`;
        tell(
          'throttled',
          `The registry limits the number of requests (429)${wait}. The batch slows down and continues.`,
          { retryAfterSeconds },
        );
      } else if (status === null || status >= 500) {
        tell(
          'unreachable',
          `The registry does not answer as it should (${reason ?? status}). The batch waits and tries again.`,
          { status },
        );
      }
    },
    say: (message) => console.message(message),
    end(totals) {
      emit('finished', {
        ...totals.ends,
        open: totals.open,
        unsent: totals.unsent,
        codes: Object.fromEntries(totals.codes),
      });
      for (const line of describeTotals(totals)) console.message(line);
    },
    stop: () => progress?.stop(),
  };
}

/** Names a row as a person finds it. */
export function describeRow({
  line,
  policy,
  coc,
  plate,
}: Pick<Named, 'line' | 'policy' | 'coc' | 'plate'>): string {
  return `Line ${line}, policy ${policy ?? '-'}, COC ${coc ?? '-'}, plate ${plate ?? '-'}`;
}

export function describeRefusal(line: SettledLine): string {
  const { http, errorCode, details } = line;
  const findings = details.map(({ code, field }) => `${code}${field === null ? '' : ` ${field}`}`);
  return `${describeRow(line)}: ${http} ${errorCode ?? ''}${findings.length > 0 ? ` (${findings.slice(0, 3).join(', ')})` : ''}`;
}
