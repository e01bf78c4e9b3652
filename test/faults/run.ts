import { setTimeout as sleep } from 'node:timers/promises';
import { failedLine } from '../env/failed-line.js';
import type { Shape } from '../env/shape.ts';
import { type Build, buildRegistry } from './build.ts';
import { watchIdleTransactions } from './checks/idle-watch.ts';
import { startLoad } from './load.ts';
import { findUnexpected, judge } from './oracle.ts';
import { makeRandom, type Random } from './random.ts';
import type { Round, Scenario } from './scenario.ts';
import { startWorld, WORKERS, type World } from './world.ts';

export interface FaultsOptions {
  readonly isFull: boolean;
  readonly scenarios: readonly Scenario[];
  /** The scenarios were requested by name, so each runs a round in all its shapes, also in the short form. */
  readonly isNamed: boolean;
  readonly shapes: readonly Shape[];
  readonly seed: number;
  readonly minutes: number;
  /** Replaces the number of certificates of each scenario. */
  readonly certificates: number | undefined;
}

const CERTIFICATES = 60;
const ROUND_MS_MAX = 150_000;
const PROBLEMS_SHOWN = 12;

export interface FaultsResult {
  readonly passed: number;
  /** A line for each scenario that failed. */
  readonly failed: readonly string[];
}

/** Runs every scenario in each of its shapes and prints the results. */
export async function runFaults(options: FaultsOptions): Promise<FaultsResult> {
  const build = buildRegistry();
  try {
    return await runAll(options, build);
  } finally {
    build.remove();
  }
}

async function runAll(options: FaultsOptions, build: Build): Promise<FaultsResult> {
  const { isFull, scenarios, isNamed, shapes } = options;
  const isWanted = ({ isOptional, rounds }: Scenario, shape: Shape): boolean =>
    isNamed || (isOptional !== true && (isFull || rounds.short.includes(shape)));
  let passed = 0;
  const failed: string[] = [];
  for (const shape of shapes) {
    let world: World | undefined;
    for (const scenario of scenarios) {
      if (!scenario.shapes.includes(shape) || !isWanted(scenario, shape)) continue;
      const { diskMegabytes, breaksWorld } = scenario;
      const isApart = diskMegabytes !== undefined;
      if (isApart) {
        await world?.stop();
        world = undefined;
      }
      let reasons: readonly string[];
      try {
        world ??= await startWorld(shape, { build, diskMegabytes });
        reasons = await runAndPrint(world, scenario, options);
      } catch (error) {
        const reason = reasonOf(error);
        reasons = [reason];
        process.stdout.write(`FAIL ${shape} ${scenario.name}: ${reason}\n`);
      }
      const isPassed = reasons.length === 0;
      if (isPassed) passed += 1;
      else failed.push(failedLine(`${shape} ${scenario.name}`, ...reasons));
      if (isPassed && breaksWorld !== true && !isApart) continue;
      await world?.stop();
      world = undefined;
    }
    await world?.stop();
  }
  return { passed, failed };
}

/** Returns the reasons for a failure; empty when the scenario passed. */
async function runAndPrint(
  world: World,
  scenario: Scenario,
  { isFull, seed, minutes, certificates = scenario.certificates ?? CERTIFICATES }: FaultsOptions,
): Promise<readonly string[]> {
  const { shape } = world;
  const rounds = isFull ? scenario.rounds.full : 1;
  // Each scenario has its own generator, so that it makes the same choices when it runs alone.
  const random = makeRandom(seed + hash(`${scenario.name} ${shape}`));
  const result = await runScenario(world, scenario, random, {
    rounds,
    isFull,
    minutes,
    certificates,
  });
  printResult(shape, scenario, rounds, result);
  return result.reasons;
}

interface ScenarioResult {
  readonly problems: readonly string[];
  /** The reasons for a failure; empty when the scenario passed. */
  readonly reasons: readonly string[];
  readonly facts: string;
  readonly output: string;
}

async function runScenario(
  world: World,
  scenario: Scenario,
  random: Random,
  { rounds, ...options }: Pick<Round, 'isFull' | 'minutes' | 'certificates'> & { rounds: number },
): Promise<ScenarioResult> {
  const since = performance.now();
  const facts = new Map<string, number>();
  const count = (what: string, more = 1): void => {
    facts.set(what, (facts.get(what) ?? 0) + more);
  };
  const problems: string[] = [];
  let slowestMs = 0;
  const strikes = scenario.strikes?.[options.isFull ? 'full' : 'short'] ?? 1;
  const roundMsMax = scenario.roundMsMax?.(options) ?? ROUND_MS_MAX;
  for (let index = 0; index < rounds && problems.length === 0; index += 1) {
    const over = new AbortController();
    try {
      const form = { ...options, index, strikes, signal: over.signal, note: count };
      const round = runRound(world, scenario, random, form);
      const ended = await Promise.race([round, sleep(roundMsMax, undefined, { ref: false })]);
      if (ended === undefined) throw new Error(`the round does not end within ${roundMsMax} ms`);
      problems.push(...ended.problems);
      count('requests', ended.requests);
      count('replays', ended.replays);
      slowestMs = Math.max(slowestMs, ended.settledInMs);
    } catch (error) {
      problems.push(reasonOf(error));
    } finally {
      over.abort();
    }
  }
  const { mustFind } = scenario;
  const reasons = findReasons(problems, mustFind);
  const seconds = ((performance.now() - since) / 1_000).toFixed(1);
  const words = [...facts].map(([what, number]) => `${what} ${number}`);
  return {
    problems,
    reasons,
    facts: `${seconds} s, settled in ${slowestMs} ms; ${words.join(', ')}`,
    output: reasons.length === 0 ? '' : world.readOutput(),
  };
}

/** The reasons for a failure. A control scenario fails when no problem matches `mustFind`. */
function findReasons(problems: readonly string[], mustFind: RegExp | undefined): readonly string[] {
  if (mustFind === undefined) return problems;
  const isFound = problems.some((problem) => mustFind.test(problem));
  return isFound ? [] : [`nothing found like ${mustFind}`, ...problems];
}

interface RoundResult {
  readonly problems: readonly string[];
  readonly requests: number;
  readonly replays: number;
  readonly settledInMs: number;
}

async function runRound(
  world: World,
  scenario: Scenario,
  random: Random,
  form: Omit<Round, 'world' | 'random' | 'load'>,
): Promise<RoundResult> {
  const { allows = {}, deadlineMs } = scenario;
  world.http.clear();
  const watch = watchIdleTransactions(world.databaseUrl);
  try {
    const load = startLoad(world, random, form.certificates);
    await scenario.strike({ ...form, world, random, load });
    if (!world.api.isRunning || world.workers.length < WORKERS) {
      throw new Error('a process ended that was not killed');
    }
    await load.done;
    const judgment = await judge(
      world,
      load.report,
      random,
      deadlineMs === undefined ? {} : { deadlineMs },
    );
    const { serverErrors, attempts } = world.http;
    const idle = await watch.stop();
    form.note('5xx', serverErrors.length);
    const problems = [...judgment.problems, ...findUnexpected({ serverErrors, idle }, allows)];
    const { settledInMs, replays } = judgment;
    return { problems, requests: attempts, replays, settledInMs };
  } finally {
    await watch.stop();
  }
}

function printResult(
  shape: Shape,
  scenario: Scenario,
  rounds: number,
  result: ScenarioResult,
): void {
  const { problems, reasons, facts, output } = result;
  const isPassed = reasons.length === 0;
  const lines = [`${isPassed ? 'ok  ' : 'FAIL'} ${shape} ${scenario.name} × ${rounds}: ${facts}`];
  const found = problems.find((problem) => scenario.mustFind?.test(problem));
  if (found !== undefined) lines.push(`     found: ${found}`);
  // The output of the processes is long, so the reasons come last, where readers look first.
  if (!isPassed) {
    lines.unshift(output);
    lines.push(...reasons.slice(0, PROBLEMS_SHOWN).map((reason) => `     ${reason}`));
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Includes the reasons of aggregated errors and causes. */
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
