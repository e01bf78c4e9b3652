import { findWorst } from '../../pure/patterns/adversary.ts';
import { findAll } from '../../pure/patterns/regular-expressions.ts';
import type { Scenario } from '../scenario.ts';

const LIMIT_MS = 5;

/** Every regular expression needs less than 5 ms of CPU time for its longest input. It is a scenario because it measures time. */
export const PATTERNS: Scenario = {
  name: 'regular-expressions',
  shapes: ['redis'],
  rounds: { short: ['redis'], full: 1 },
  certificates: 4,
  strike: async ({ load, note }) => {
    // The load's clients run in this process and would add to the measured time.
    await load.done;
    let slowest = 0;
    const patterns = findAll();
    for (const { file, pattern, longest } of patterns) {
      const { milliseconds, text, characters } = findWorst(pattern, longest, LIMIT_MS);
      slowest = Math.max(slowest, milliseconds);
      if (milliseconds < LIMIT_MS) continue;
      load.report.problems.push(
        `${file}: ${pattern} takes ${milliseconds} ms for ${characters}: ${text}`,
      );
    }
    note('patterns', patterns.length);
    note('slowest, µs', Math.round(slowest * 1_000));
  },
};
