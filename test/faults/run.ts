import { setTimeout as sleep } from 'node:timers/promises';
import { failedLine } from '../env/failed-line.js';
import type { Shape } from '../env/shape.ts';
import { type Build, buildRegistry } from './build.ts';
import { watchIdleTransactions } from './flaws/idle-watch.ts';
import { startLoad } from './load.ts';
import { findUnprovoked, judge } from './oracle.ts';
import { makeRandom, type Random } from './random.ts';
import type { Round, Scenario } from './scenario.ts';
import { startWorld, WORKERS, type World } from './world.ts';

export interface FaultsOptions {
  readonly isFull: boolean;
  readonly scenarios: readonly Scenario[];
  /** They were asked for by name: in the short form, too, each has a round in every shape it is about. */
  readonly isNamed: boolean;
  readonly shapes: readonly Shape[];
  readonly seed: number;
  readonly minutes: number;
}

const CERTIFICATES = 60;
const ROUND_MS_MAX = 150_000;
const FLAWS_SHOWN = 12;

export interface FaultsEnd {
  readonly passed: number;
  /** A line for each scenario that failed. */
  readonly failed: readonly string[];
}

/** Runs every scenario in every shape it is about and tells of each. */
export async function runFaults(options: FaultsOptions): Promise<FaultsEnd> {
  const build = buildRegistry();
  try {
    return await runAll(options, build);
  } finally {
    build.remove();
  }
}

async function runAll(options: FaultsOptions, build: Build): Promise<FaultsEnd> {
  const { isFull, scenarios, isNamed, shapes } = options;
  const isWanted = ({ isOptional, rounds }: Scenario, shape: Shape): boolean =>
    isNamed || (isOptional !== true && (isFull || rounds.short.includes(shape)));
  let passed = 0;
  const failed: string[] = [];
  for (const shape of shapes) {
    let world: World | undefined;
    for (const scenario of scenarios) {
      if (!scenario.shapes.includes(shape) || !isWanted(scenario, shape)) continue;
      const { diskMegabytes, spoilsWorld } = scenario;
      const isApart = diskMegabytes !== undefined;
      if (isApart) {
        await world?.stop();
        world = undefined;
      }
      let reasons: readonly string[];
      try {
        world ??= await startWorld(shape, { build, diskMegabytes });
        reasons = await runAndTell(world, scenario, options);
      } catch (error) {
        const reason = reasonOf(error);
        reasons = [reason];
        process.stdout.write(`FAIL ${shape} ${scenario.name}: ${reason}\n`);
      }
      const isPassed = reasons.length === 0;
      if (isPassed) passed += 1;
      else failed.push(failedLine(`${shape} ${scenario.name}`, ...reasons));
      if (isPassed && spoilsWorld !== true && !isApart) continue;
      await world?.stop();
      world = undefined;
    }
    await world?.stop();
  }
  return { passed, failed };
}

/** Hands out why it failed: nothing when it passed. */
async function runAndTell(
  world: World,
  scenario: Scenario,
  { isFull, seed, minutes }: FaultsOptions,
): Promise<readonly string[]> {
  const { shape } = world;
  const rounds = isFull ? scenario.rounds.full : 1;
  // Each has draws of its own, so that it comes out the same alone.
  const random = makeRandom(seed + hash(`${scenario.name} ${shape}`));
  const told = await runScenario(world, scenario, random, { rounds, isFull, minutes });
  tell(shape, scenario, rounds, told);
  return told.reasons;
}

interface Told {
  readonly flaws: readonly string[];
  /** Why it failed: nothing when it passed. */
  readonly reasons: readonly string[];
  readonly facts: string;
  readonly output: string;
}

async function runScenario(
  world: World,
  scenario: Scenario,
  random: Random,
  { rounds, isFull, minutes }: { rounds: number; isFull: boolean; minutes: number },
): Promise<Told> {
  const since = performance.now();
  const facts = new Map<string, number>();
  const count = (what: string, more = 1): void => {
    facts.set(what, (facts.get(what) ?? 0) + more);
  };
  const flaws: string[] = [];
  let slowestMs = 0;
  const strikes = scenario.strikes?.[isFull ? 'full' : 'short'] ?? 1;
  const roundMsMax = scenario.roundMsMax?.(minutes) ?? ROUND_MS_MAX;
  for (let index = 0; index < rounds && flaws.length === 0; index += 1) {
    try {
      const form = { index, isFull, strikes, minutes, note: count };
      const round = runRound(world, scenario, random, form);
      const ended = await Promise.race([round, sleep(roundMsMax, undefined, { ref: false })]);
      if (ended === undefined) throw new Error(`the round does not end within ${roundMsMax} ms`);
      flaws.push(...ended.flaws);
      count('requests', ended.requests);
      count('replays', ended.replays);
      slowestMs = Math.max(slowestMs, ended.settledInMs);
    } catch (error) {
      flaws.push(reasonOf(error));
    }
  }
  const { mustFind } = scenario;
  const reasons = findReasons(flaws, mustFind);
  const seconds = ((performance.now() - since) / 1_000).toFixed(1);
  const words = [...facts].map(([what, number]) => `${what} ${number}`);
  return {
    flaws,
    reasons,
    facts: `${seconds} s, settled in ${slowestMs} ms; ${words.join(', ')}`,
    output: reasons.length === 0 ? '' : world.readOutput(),
  };
}

/** Of a failure; a control fails when nothing that it must find is among the flaws. */
function findReasons(flaws: readonly string[], mustFind: RegExp | undefined): readonly string[] {
  if (mustFind === undefined) return flaws;
  const isFound = flaws.some((flaw) => mustFind.test(flaw));
  return isFound ? [] : [`nothing found like ${mustFind}`, ...flaws];
}

interface RoundEnd {
  readonly flaws: readonly string[];
  readonly requests: number;
  readonly replays: number;
  readonly settledInMs: number;
}

async function runRound(
  world: World,
  scenario: Scenario,
  random: Random,
  form: Pick<Round, 'index' | 'isFull' | 'strikes' | 'minutes' | 'note'>,
): Promise<RoundEnd> {
  const { brings = {}, certificates = CERTIFICATES, deadlineMs } = scenario;
  world.http.clear();
  const watch = watchIdleTransactions(world.databaseUrl);
  try {
    const load = startLoad(world, random, certificates);
    await scenario.strike({ ...form, world, random, load });
    if (!world.api.isRunning || world.workers.length < WORKERS) {
      throw new Error('a process ended that was not killed');
    }
    await load.done;
    const judgment = await judge(
      world,
      load.book,
      random,
      deadlineMs === undefined ? {} : { deadlineMs },
    );
    const { serverErrors, attempts } = world.http;
    const idle = await watch.stop();
    form.note('5xx', serverErrors.length);
    const flaws = [...judgment.flaws, ...findUnprovoked({ serverErrors, idle }, brings)];
    const { settledInMs, replays } = judgment;
    return { flaws, requests: attempts, replays, settledInMs };
  } finally {
    await watch.stop();
  }
}

function tell(shape: Shape, scenario: Scenario, rounds: number, told: Told): void {
  const { flaws, reasons, facts, output } = told;
  const isPassed = reasons.length === 0;
  const lines = [`${isPassed ? 'ok  ' : 'FAIL'} ${shape} ${scenario.name} × ${rounds}: ${facts}`];
  const found = flaws.find((flaw) => scenario.mustFind?.test(flaw));
  if (found !== undefined) lines.push(`     found: ${found}`);
  // What the processes wrote comes first: it is long, and the reasons are read first from the end.
  if (!isPassed) {
    lines.unshift(output);
    lines.push(...reasons.slice(0, FLAWS_SHOWN).map((reason) => `     ${reason}`));
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Of several together, each. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const reasons = error instanceof AggregateError ? error.errors.map(reasonOf) : [];
  return [
    error.stack ?? error.message,
    ...reasons,
    ...(cause === undefined ? [] : [`because: ${reasonOf(cause)}`]),
  ].join('\n');
}

function hash(text: string): number {
  let mixed = 0;
  for (const character of text) mixed = (Math.imul(mixed, 31) + character.charCodeAt(0)) >>> 0;
  return mixed;
}
