import {
  ALONE,
  BATCH,
  BESIDE_BULK,
  MANY_TENANTS,
  NAIVE,
  ONE_TENANT,
  registrationOf,
  SQL_LIMIT,
  TEN_MILLION,
  TEN_THOUSAND,
} from './measurement.ts';

/** A ratio of one figure: of a subject in one scenario to the same or another subject in the same or another one. */
export interface Goal {
  readonly name: string;
  readonly figure: string;
  readonly scenario: string;
  readonly dividedBy: { readonly scenario: string; readonly subject?: string };
  readonly bound: 'at least' | 'at most';
  readonly value: number;
}

const rate = { figure: 'perSecond', bound: 'at least' } as const;
const cost = { bound: 'at most' } as const;

/** The acceptance of issue 49, in the order of its text, with the batch of issue 50. */
export const GOALS: readonly Goal[] = [
  {
    ...rate,
    name: 'registered/s, 1 vehicle ÷ SQL limit',
    scenario: registrationOf(1),
    dividedBy: { scenario: registrationOf(1), subject: SQL_LIMIT },
    value: 0.5,
  },
  {
    ...rate,
    name: 'registered/s, 1 vehicle ÷ naive peer',
    scenario: registrationOf(1),
    dividedBy: { scenario: registrationOf(1), subject: NAIVE },
    value: 2.5,
  },
  {
    ...rate,
    name: 'registered/s, 500 vehicles ÷ SQL limit',
    scenario: registrationOf(500),
    dividedBy: { scenario: registrationOf(500), subject: SQL_LIMIT },
    value: 0.5,
  },
  {
    ...rate,
    name: 'registered/s, 500 vehicles ÷ naive peer',
    scenario: registrationOf(500),
    dividedBy: { scenario: registrationOf(500), subject: NAIVE },
    value: 8,
  },
  {
    ...cost,
    name: "a small tenant's p99 beside a bulk load ÷ alone",
    figure: 'p99Ms',
    scenario: BESIDE_BULK,
    dividedBy: { scenario: ALONE },
    value: 3,
  },
  {
    ...rate,
    name: 'registered/s, 40 tenants ÷ one',
    scenario: MANY_TENANTS,
    dividedBy: { scenario: ONE_TENANT },
    value: 0.95,
  },
  {
    ...rate,
    name: 'registered/s, batch ÷ benchmark',
    scenario: BATCH,
    dividedBy: { scenario: registrationOf(1) },
    // At most 1.3 times as long.
    value: 0.77,
  },
  {
    ...cost,
    name: 'CPU per certificate, ten million registered ÷ ten thousand',
    figure: 'cpuMsPerItem',
    scenario: TEN_MILLION,
    dividedBy: { scenario: TEN_THOUSAND },
    value: 1.4,
  },
];

export const WORKER_MB_MAX = 256;
/** A worker's memory counts as flat when its last round needs at most this many times what the first one needed. */
export const WORKER_GROWTH_MAX = 1.1;
