import type { Scenario } from '../scenario.ts';
import { ABUSE } from './abuse.ts';
import { BACKLOG } from './backlog.ts';
import { BATCH_OF_MANY } from './batch-of-many/batch-of-many.ts';
import { CONNECTIONS } from './connections.ts';
import { CONTROLS } from './controls.ts';
import { DISK_FULL } from './disk-full.ts';
import { FAIL_POINT_SCENARIO } from './fail-points.ts';
import { FEED } from './feed.ts';
import { FROZEN } from './frozen.ts';
import { KILLED } from './killed.ts';
import { LIFECYCLE } from './lifecycle.ts';
import { CLAUSES_CONTROL } from './one-cover/clauses.ts';
import { COVERAGE_RACES } from './one-cover/coverage-races.ts';
import { HISTORIES_CHECKED } from './one-cover/histories.ts';
import { PATTERNS } from './patterns.ts';
import { SERVERS } from './servers.ts';
import { SOAK } from './soak.ts';

/** Control scenarios come last, because each leaves a registry without a protection. */
export const SCENARIOS: readonly Scenario[] = [
  ...KILLED,
  FAIL_POINT_SCENARIO,
  ...FROZEN,
  ...CONNECTIONS,
  ...SERVERS,
  ...LIFECYCLE,
  ...BACKLOG,
  ...BATCH_OF_MANY,
  DISK_FULL,
  SOAK,
  ...COVERAGE_RACES,
  ...HISTORIES_CHECKED,
  ...FEED,
  ...ABUSE,
  PATTERNS,
  CLAUSES_CONTROL,
  ...CONTROLS,
];
