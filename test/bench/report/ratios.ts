import type { Sample } from '../measure/sample.ts';
import { type Spread, spreadOf } from '../measure/statistics.ts';
import type { Round } from '../rounds.ts';

interface Ratio {
  readonly name: string;
  readonly of: string;
  readonly to: string;
  readonly read: (sample: Sample) => number | undefined;
  readonly reach: number;
  readonly beyond: number;
  /** Whether less is better. */
  readonly isCost: boolean;
}

export interface RatioResult {
  readonly name: string;
  readonly ratio: Spread;
  readonly reach: number;
  readonly beyond: number;
  readonly verdict: 'beyond' | 'reached' | 'missed';
}

const rate = ({ perSecond }: Sample): number => perSecond;
const figure = (name: string) => (sample: Sample) => sample.figures[name];
const gain = (name: string, of: string, to: string, reach: number, beyond: number): Ratio => ({
  name,
  of,
  to,
  read: rate,
  reach,
  beyond,
  isCost: false,
});

const RATIOS: readonly Ratio[] = ['embedded', 'redis'].flatMap((shape) => [
  gain(`1 vehicle ÷ SQL limit, ${shape}`, `registry-${shape}/1`, 'limit/1', 0.35, 0.6),
  gain(`500 vehicles ÷ SQL limit, ${shape}`, `registry-${shape}/500`, 'limit/500', 0.7, 0.85),
  gain(`1 vehicle ÷ synchronous nested creates, ${shape}`, `registry-${shape}/1`, 'sync/1', 2, 4),
  gain(
    `500 vehicles ÷ synchronous nested creates, ${shape}`,
    `registry-${shape}/500`,
    'sync/500',
    8,
    15,
  ),
  {
    name: `idle, POST to terminal p50 ÷ synchronous, ${shape}`,
    of: `idle-${shape}/1`,
    to: 'idle-sync/1',
    read: figure('p50Ms'),
    reach: 2.5,
    beyond: 1.7,
    isCost: true,
  },
  {
    name: `accept p99 under 70 % load ÷ synchronous, 500 vehicles, ${shape}`,
    of: `open-${shape}/500`,
    to: 'open-sync/500',
    read: figure('p99Ms'),
    reach: 0.25,
    beyond: 0.15,
    isCost: true,
  },
  gain(`polls ÷ bare Express with the gate, ${shape}`, `polls-${shape}`, `gate-${shape}`, 0.6, 0.8),
  gain(
    `coverage checks ÷ bare Express with the gate, ${shape}`,
    `coverage-${shape}`,
    `gate-${shape}`,
    0.5,
    0.75,
  ),
]);

/** Both sides of a ratio come from one round. Those whose cells were not measured are left out. */
export function readRatios(rounds: readonly Round[]): RatioResult[] {
  return RATIOS.flatMap((ratio) => {
    const values = rounds.flatMap(({ samples }) => {
      const [of, to] = [samples.get(ratio.of), samples.get(ratio.to)];
      if (of === undefined || to === undefined) return [];
      const [above, below] = [ratio.read(of), ratio.read(to)];
      return above === undefined || below === undefined || below === 0 ? [] : [above / below];
    });
    if (values.length === 0) return [];
    const spread = spreadOf(values);
    const { name, reach, beyond, isCost } = ratio;
    const isWithin = (goal: number) => (isCost ? spread.median <= goal : spread.median >= goal);
    const verdict = isWithin(beyond) ? 'beyond' : isWithin(reach) ? 'reached' : 'missed';
    return [{ name, ratio: spread, reach, beyond, verdict }];
  });
}
