import type { Visit } from '../env/browser.ts';
import { openPage } from './open-page.ts';
import type { ShownPage } from './shown-pages.ts';

/** A usual computer of an office, compared with one for developers. */
const CPU_SLOWDOWN = 4;

/** All in milliseconds. */
export interface Vitals {
  /** When the largest part of the page was painted, with an empty cache. */
  readonly largestPaintMs: number;
  /** From the slowest key or click to the next frame. */
  readonly slowestInteractionMs: number;
}

interface Observed {
  readonly largestPaint: number;
  readonly interactions: readonly number[];
  readonly tasks: readonly number[];
}

/** An interaction below 16 ms is not reported. */
const OBSERVE = `
window.observed = { largestPaint: 0, interactions: [0], tasks: [0] };
const observe = (type, use) =>
  new PerformanceObserver((list) => list.getEntries().forEach(use))
    .observe({ type, buffered: true, durationThreshold: 16 });
observe('largest-contentful-paint', ({ startTime }) => { observed.largestPaint = startTime; });
observe('event', ({ interactionId, duration }) => { if (interactionId) observed.interactions.push(duration); });
observe('longtask', ({ duration }) => { observed.tasks.push(duration); });`;
/** The observers report what happened before this frame. */
const READ =
  'new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(observed)), 100))';

/** Before the first page of the window. */
export async function prepareMeasuring({ page }: Visit): Promise<void> {
  await page.addInitScript({ content: OBSERVE });
}

/** Opens the page with an empty cache on a slow processor, and then uses it. */
export async function measureVitals(
  visit: Visit,
  shown: ShownPage,
  use: () => Promise<void>,
): Promise<Vitals> {
  const { page } = visit;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  try {
    await openPage(visit, shown);
    const { largestPaint } = await page.evaluate<Observed>(READ);
    await use();
    const { interactions } = await page.evaluate<Observed>(READ);
    return { largestPaintMs: largestPaint, slowestInteractionMs: Math.max(...interactions) };
  } finally {
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await session.detach();
  }
}

/** The longest task, in milliseconds, while something is done in the page that is open. 0 when none took longer than 50 ms. */
export async function measureLongestTask(
  { page }: Visit,
  use: () => Promise<void>,
): Promise<number> {
  await page.evaluate(`${READ}.then(() => { observed.tasks.length = 1; })`);
  await use();
  const { tasks } = await page.evaluate<Observed>(READ);
  return Math.max(...tasks);
}
