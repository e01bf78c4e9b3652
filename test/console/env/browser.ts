import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { anyAddress } from '../../env/api/signed-request.ts';
import { findChromium } from './find-chromium.ts';

/** Refusals that are part of many flows, which Chromium reports as errors of the page. */
const REFUSED = /Failed to load resource: the server responded with a status of (401|409|422)/;

/** Ends what hangs; how fast a machine is decides nothing. */
const WAIT_MS_MAX = 60_000;

const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) => {
  console.error('policy violation:', event.violatedDirective, event.blockedURI, event.sample);
});`;

/** A window of one visitor with its own cookies. */
export interface Visit {
  readonly page: Page;
  /** Violations of the content policy, errors of the page and errors on its console. */
  readonly problems: readonly string[];
  /** How many keys were pressed through `press` and `type`. */
  readonly keysPressed: number;
  /** Names an error that this flow causes on purpose. */
  provoke(error: RegExp): void;
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
}

export async function launchChromium(): Promise<Browser> {
  const { path, libraries } = findChromium();
  return chromium.launch({
    executablePath: path,
    // Tests run as root in containers, whose shared memory is small.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    ...(libraries === undefined ? {} : { env: { ...process.env, LD_LIBRARY_PATH: libraries } }),
  });
}

/** Opens a window as another visitor, with an address of its own, so that visitors do not share a rate limit. */
export async function openVisit(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL,
    extraHTTPHeaders: { 'x-forwarded-for': anyAddress() },
    // Without a locale of its own, a Chromium in a system without one has a language that no browser of a person has.
    locale: 'en-US',
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS_MAX);
  const page = await context.newPage();
  const problems: string[] = [];
  const provoked = [REFUSED];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !provoked.some((one) => one.test(text))) problems.push(text);
  });
  await page.addInitScript({ content: REPORT_VIOLATIONS });
  let keysPressed = 0;
  return {
    page,
    problems,
    get keysPressed() {
      return keysPressed;
    },
    provoke: (error) => provoked.push(error),
    press: async (...keys) => {
      for (const key of keys) {
        // A combination such as Control+Enter is two keys.
        keysPressed += key.split('+').length;
        await page.keyboard.press(key);
      }
    },
    type: async (text) => {
      keysPressed += text.length;
      await page.keyboard.type(text);
    },
  };
}
