import { makeSample } from '../measure/make-sample.ts';
import type { Round } from '../rounds.ts';
import { summarize } from './summary.ts';

const MACHINE = {} as Parameters<typeof summarize>[3];

it('every measurement is told in its order, with the control around it, whether its round counts or not', () => {
  const round = (perSecond: number, after: number): Round => ({
    block: 'a',
    looks: new Map([['a1', [100, after]]]),
    samples: new Map([['a1', makeSample({ perSecond })]]),
    faults: [],
  });
  const { measurements } = summarize([], [round(7, 100), round(5, 200)], 0.05, MACHINE, {});
  expect(measurements).toMatchObject([
    { cell: 'a1', perSecond: 7, control: [100, 100] },
    { cell: 'a1', perSecond: 5, control: [100, 200] },
  ]);
});
