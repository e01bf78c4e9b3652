import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Role } from '../../../shared/contract/staff.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { launchChromium, type Visit } from '../env/browser.ts';
import { type DemoRegistry, startDemoRegistry } from './demo-registry.ts';
import { openPage } from './open-page.ts';
import { signInFirst } from './session.ts';
import { SHOWN_PAGES } from './shown-pages.ts';

const FOLDER = join(findProjectRoot(), '.data', 'screenshots');
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;
const HEIGHT_MAX = 6_000;
const THEMES = ['light', 'dark'] as const;
const ROLES: readonly Role[] = ['REVIEWER', 'ADMINISTRATOR', 'AUDITOR'];

/**
 * npm run screenshots [names…]: captures every page of the console, with the data of the demonstration, into .data/screenshots. Returns
 * how many pages could not be captured.
 */
async function captureAll(names: readonly string[]): Promise<number> {
  if (names.length === 0) rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const registry = await startDemoRegistry();
  const browser = await launchChromium();
  try {
    return await captureWith(browser, registry, names);
  } finally {
    await browser.close();
    await registry.stop();
  }
}

async function captureWith(
  browser: Browser,
  registry: DemoRegistry,
  names: readonly string[],
): Promise<number> {
  const isWanted = (name: string): boolean => names.length === 0 || names.includes(name);
  const visits = new Map<Role, Visit>();
  for (const role of ROLES) {
    const visit = await signInFirst(browser, registry, role, async (step, { page }) => {
      if (role === 'REVIEWER' && isWanted(step)) await capture(page, step);
    });
    visits.set(role, visit);
  }
  let failures = 0;
  for (const shown of SHOWN_PAGES.filter(({ name }) => isWanted(name))) {
    const visit = visits.get(shown.role);
    if (visit === undefined) throw new Error(`nobody is signed in as ${shown.role}`);
    try {
      await openPage(visit, shown);
      await capture(visit.page, shown.name);
    } catch (error) {
      failures += 1;
      process.stderr.write(`${shown.name}: not captured: ${messageOf(error)}\n`);
    }
  }
  return failures;
}

/** One file for each size and theme: <name>-<width>-<theme>.png. */
async function capture(page: Page, name: string): Promise<void> {
  for (const size of SIZES) {
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await showWhole(page, size);
      const path = join(FOLDER, `${name}-${size.width}-${theme}.png`);
      await page.screenshot({ path });
      process.stdout.write(`${relative(findProjectRoot(), path)}\n`);
    }
  }
  const [widest] = SIZES;
  await page.setViewportSize(widest);
}

/** Makes the window as high as the page, because what sticks to its edges would be in the middle of a capture of the whole page. */
async function showWhole(page: Page, { width, height }: (typeof SIZES)[number]): Promise<void> {
  await page.setViewportSize({ width, height });
  const needed = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.min(Math.max(needed, height), HEIGHT_MAX) });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}

const failures = await captureAll(process.argv.slice(2));
if (failures > 0) process.stderr.write(`${failures} pages were not captured.\n`);
process.exitCode = failures === 0 ? 0 : 1;
