import { type Block, groupOf } from './cells/cell.ts';
import { CONTROL_SECONDS } from './control.ts';
import { sumOf } from './measure/statistics.ts';
import type { RoundsOptions } from './rounds.ts';

/** Servers, processes and the build. */
const START_SECONDS = 25;
/** What is left of a measurement when its work is a tenth: making ready and checking. */
const SECONDS_AT_LEAST = 1;

/** How long the run will take on two cores that nobody else uses, in words. */
export function forecast(
  blocks: readonly Block[],
  { rounds, turns, scale, warmUp }: Pick<RoundsOptions, 'rounds' | 'turns' | 'scale' | 'warmUp'>,
  minutesMax: number | undefined,
): string {
  const cells = blocks.flatMap((block) => block.cells);
  const measuring = (factor: number, isWarmUp = false) =>
    sumOf(
      cells.map(({ seconds, warmUpTimes = 1 }) =>
        Math.max(SECONDS_AT_LEAST, seconds * factor * (isWarmUp ? warmUpTimes : 1)),
      ),
    );
  const once =
    START_SECONDS +
    sumOf(cells.map(({ prepareSeconds = 0 }) => prepareSeconds * (scale.isQuick ? 0.1 : 1))) +
    measuring(warmUp.factor, !warmUp.isQuick);
  const turn = measuring(scale.factor) + CONTROL_SECONDS * (cells.length + countGroups(blocks));
  const round = turns * turn;
  const minutes = (seconds: number) => (seconds / 60).toFixed(1);
  const bound =
    minutesMax === undefined ? '' : `; no round is begun that would end after minute ${minutesMax}`;
  return `${cells.length} cells, ${rounds} rounds: about ${minutes(once + rounds * round)} minutes (${minutes(once)} to make ready, ${minutes(round)} a round, more where the control drifts)${bound}`;
}

/** Each has one look at the control more than cells. */
function countGroups(blocks: readonly Block[]): number {
  return sumOf(blocks.map(({ cells }) => new Set(cells.map(groupOf)).size));
}
