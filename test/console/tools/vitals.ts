import type { Browser, Page } from 'playwright-core';
import { launchChromium, openVisit, type Visit } from '../env/browser.ts';
import { type DemoRegistry, startDemoRegistry } from './demo-registry.ts';
import { measureLongestTask, measureVitals, prepareMeasuring } from './measure.ts';
import { raiseFlags } from './raise-flags.ts';
import { signInFirst } from './session.ts';
import { SHOWN_PAGES, type ShownPage } from './shown-pages.ts';

const LARGEST_PAINT_MS_MAX = 1_000;
const INTERACTION_MS_MAX = 200;
const TASK_MS_MAX = 50;
const ROWS = 200;

/** What somebody does on a page, by the name of the page. All are pages of an administrator. */
const USES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  overview: useMenu,
  flags: async (page) => {
    for (const key of ['j', 'j', 'k', 'j']) await page.keyboard.press(key, { delay: 50 });
    await page.getByLabel('Type').selectOption('IDENTIFIER_CONFLICT');
    await useMenu(page);
  },
  'flag-conflict': async (page) => {
    await page.keyboard.press('n');
    await page.keyboard.type('The chassis number differs.', { delay: 20 });
    await page.keyboard.press('Escape');
    await useMenu(page);
  },
  records: useSearch,
  record: useMenu,
  transmissions: useSearch,
  queue: useMenu,
  audit: useMenu,
};

interface Line {
  readonly measured: string;
  readonly ms: number;
  readonly goalMs: number;
}

/** npm run vitals: how fast the main pages show and answer, against their goals. Returns the exit code. */
async function measureAll(): Promise<number> {
  const registry = await startDemoRegistry();
  const browser = await launchChromium();
  try {
    await raiseFlags(registry, ROWS);
    const lines = [
      ...(await measureSignIn(browser, registry)),
      ...(await measurePages(browser, registry)),
    ];
    process.stdout.write(`${lines.map(describe).join('\n')}\n`);
    return lines.every(({ ms, goalMs }) => ms <= goalMs) ? 0 : 1;
  } finally {
    await browser.close();
    await registry.stop();
  }
}

async function measureSignIn(browser: Browser, { url }: DemoRegistry): Promise<Line[]> {
  const visit = await openVisit(browser, url);
  await prepareMeasuring(visit);
  const shown: ShownPage = { name: 'sign-in', role: 'ADMINISTRATOR', path: '/flags' };
  return linesOf(visit, shown, async () => {
    await visit.page.getByLabel('E-mail address').click();
    await visit.page.keyboard.type('reviewer@regulator.example', { delay: 20 });
  });
}

async function measurePages(browser: Browser, registry: DemoRegistry): Promise<Line[]> {
  const visit = await signInFirst(browser, registry, 'ADMINISTRATOR');
  await prepareMeasuring(visit);
  const lines: Line[] = [];
  for (const [name, use] of Object.entries(USES)) {
    const shown = SHOWN_PAGES.find((one) => one.name === name);
    if (shown === undefined) throw new Error(`no page has the name ${name}`);
    lines.push(...(await linesOf(visit, shown, () => use(visit.page))));
  }
  return [...lines, await measureLongList(visit)];
}

async function linesOf(visit: Visit, shown: ShownPage, use: () => Promise<void>): Promise<Line[]> {
  const { name } = shown;
  try {
    const vitals = await measureVitals(visit, shown, use);
    return [
      {
        measured: `${name}: largest paint`,
        ms: vitals.largestPaintMs,
        goalMs: LARGEST_PAINT_MS_MAX,
      },
      {
        measured: `${name}: slowest interaction`,
        ms: vitals.slowestInteractionMs,
        goalMs: INTERACTION_MS_MAX,
      },
    ];
  } catch (error) {
    process.stderr.write(`${name}: not measured: ${String(error)}\n`);
    return [{ measured: `${name}: not measured`, ms: Number.POSITIVE_INFINITY, goalMs: 0 }];
  }
}

/** From another page to a list of 200 rows and through some of them, without a slower processor. */
async function measureLongList(visit: Visit): Promise<Line> {
  const { page } = visit;
  await page.goto(`/console/flags?limit=${ROWS}&region=CAR`);
  await page.getByRole('heading', { name: 'Flags' }).waitFor();
  const ms = await measureLongestTask(visit, async () => {
    await page.getByLabel('Region').selectOption('');
    await page
      .locator('.flag-row')
      .nth(ROWS - 1)
      .waitFor();
    for (let count = 0; count < 5; count += 1) await page.keyboard.press('j', { delay: 100 });
    await page.locator('.flag-row[aria-current]').waitFor();
  });
  return { measured: `list of ${ROWS} flags: longest task`, ms, goalMs: TASK_MS_MAX };
}

async function useMenu(page: Page): Promise<void> {
  await page.locator('.user-button').click();
  await page.locator('.drop-panel').waitFor();
  await page.keyboard.press('Escape');
}

async function useSearch(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('searchbox').first().click();
  await page.keyboard.type('T000001', { delay: 20 });
  await page.keyboard.press('Enter');
  await useMenu(page);
}

function describe({ measured, ms, goalMs }: Line): string {
  const figure = `${Math.round(ms)} ms`.padStart(10);
  const verdict = ms <= goalMs ? '' : '  over the goal';
  return `${measured.padEnd(40)}${figure}   goal ${goalMs} ms${verdict}`;
}

process.exitCode = await measureAll();
