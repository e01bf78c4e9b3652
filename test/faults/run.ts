import { setTimeout as sleep } from 'node:timers/promises';
import type { Shape } from '../env/shape.ts';
import { watchIdleTransactions } from './idle-watch.ts';
import { startLoad } from './load.ts';
import { judge } from './oracle.ts';
import { makeRandom, type Random } from './random.ts';
import type { Scenario } from './scenario.ts';
import { startWorld, WORKERS, type World } from './world.ts';

export interface FaultsOptions {
  readonly isFull: boolean;
  readonly scenarios: readonly Scenario[];
  /** They were asked for by name: in the short form, too, each has a round in every shape it is about. */
  readonly isNamed: boolean;
  readonly shapes: readonly Shape[];
  readonly seed: number;
}

const CERTIFICATES = 60;
const ROUND_MS_MAX = 150_000;
/** In the short form the cores are shared with whatever else a machine of CI does. */
const IDLE_MS_MAX = { full: 1_000, short: 3_000 };
const FLAWS_SHOWN = 12;

/** Runs every scenario in every shape it is about and tells of each. Hands out how many failed. */
export async function runFaults({
  isFull,
  scenarios,
  isNamed,
  shapes,
  seed,
}: FaultsOptions): Promise<{ passed: number; failed: number }> {
  let [passed, failed] = [0, 0];
  for (const shape of shapes) {
    let world: World | undefined;
    for (const scenario of scenarios.filter((one) => one.shapes.includes(shape))) {
      if (!isFull && !isNamed && !scenario.rounds.short.includes(shape)) continue;
      const rounds = isFull ? scenario.rounds.full : 1;
      try {
        world ??= await startWorld(shape);
      } catch (error) {
        failed += 1;
        process.stdout.write(`FAIL ${shape} ${scenario.name}: ${reasonOf(error)}\n`);
        continue;
      }
      // Each has draws of its own, so that it comes out the same alone.
      const random = makeRandom(seed + hash(`${scenario.name} ${shape}`));
      const told = await runScenario(world, scenario, random, rounds, isFull);
      if (told.isPassed) passed += 1;
      else failed += 1;
      tell(shape, scenario, rounds, told);
      if (told.isPassed && scenario.spoilsWorld !== true) continue;
      await world.stop();
      world = undefined;
    }
    await world?.stop();
  }
  return { passed, failed };
}

interface Told {
  readonly isPassed: boolean;
  readonly flaws: readonly string[];
  readonly facts: string;
  readonly output: string;
}

async function runScenario(
  world: World,
  scenario: Scenario,
  random: Random,
  rounds: number,
  isFull: boolean,
): Promise<Told> {
  const since = performance.now();
  const facts = new Map<string, number>();
  const count = (what: string, more = 1): void => {
    facts.set(what, (facts.get(what) ?? 0) + more);
  };
  const flaws: string[] = [];
  let slowestMs = 0;
  for (let index = 0; index < rounds && flaws.length === 0; index += 1) {
    try {
      const round = runRound(world, scenario, random, { index, isFull, note: count });
      const ended = await Promise.race([round, sleep(ROUND_MS_MAX, undefined, { ref: false })]);
      if (ended === undefined) throw new Error(`the round does not end within ${ROUND_MS_MAX} ms`);
      flaws.push(...ended.flaws);
      count('requests', ended.requests);
      count('replays', ended.replays);
      slowestMs = Math.max(slowestMs, ended.settledInMs);
    } catch (error) {
      flaws.push(reasonOf(error));
    }
  }
  const { mustFind } = scenario;
  const isPassed =
    mustFind === undefined ? flaws.length === 0 : flaws.some((flaw) => mustFind.test(flaw));
  const seconds = ((performance.now() - since) / 1_000).toFixed(1);
  const words = [...facts].map(([what, number]) => `${what} ${number}`);
  return {
    isPassed,
    flaws,
    facts: `${seconds} s, settled in ${slowestMs} ms; ${words.join(', ')}`,
    output: isPassed ? '' : world.readOutput(),
  };
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
  { index, isFull, note }: Pick<Parameters<Scenario['strike']>[0], 'index' | 'isFull' | 'note'>,
): Promise<RoundEnd> {
  const { brings = {}, certificates = CERTIFICATES, deadlineMs } = scenario;
  world.http.clear();
  const watch = watchIdleTransactions(world.databaseUrl);
  try {
    const load = startLoad(world, random, certificates);
    await scenario.strike({ world, random, load, index, isFull, note });
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
    note('5xx', serverErrors.length);
    const flaws = [...judgment.flaws];
    if (brings.serverErrors !== true && serverErrors.length > 0) {
      flaws.push(`${serverErrors.length} errors of the service: ${serverErrors[0]}`);
    }
    if (
      brings.idleTransactions !== true &&
      idle.longestMs > IDLE_MS_MAX[isFull ? 'full' : 'short']
    ) {
      flaws.push(`a transaction stood idle for ${idle.longestMs} ms after "${idle.after}"`);
    }
    const { settledInMs, replays } = judgment;
    return { flaws, requests: attempts, replays, settledInMs };
  } finally {
    await watch.stop();
  }
}

function tell(shape: Shape, scenario: Scenario, rounds: number, told: Told): void {
  const word = told.isPassed ? 'ok  ' : 'FAIL';
  const lines = [`${word} ${shape} ${scenario.name} × ${rounds}: ${told.facts}`];
  const { mustFind } = scenario;
  const found = told.flaws.find((flaw) => mustFind?.test(flaw));
  if (found !== undefined) lines.push(`     found: ${found}`);
  if (!told.isPassed) {
    lines.push(...told.flaws.slice(0, FLAWS_SHOWN).map((flaw) => `     ${flaw}`));
    if (mustFind !== undefined) lines.push(`     nothing found like ${mustFind}`);
    lines.push(told.output);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function hash(text: string): number {
  let mixed = 0;
  for (const character of text) mixed = (Math.imul(mixed, 31) + character.charCodeAt(0)) >>> 0;
  return mixed;
}
