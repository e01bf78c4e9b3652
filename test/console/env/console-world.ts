import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildConsoleIfChanged } from '../../../ops/console/build-if-changed.ts';
import type { Role } from '../../../shared/contract/staff.ts';
import { type MovableClock, makeMovableClock } from '../../../shared/platform/clock.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { addStaffUser, enroll, type StaffBrowser } from '../../env/staff/staff.ts';
import { launchChromium, openVisit, type Visit } from './browser.ts';
import { signInOnPage } from './sign-in.ts';

/** Several waits of a browser on a busy machine. */
jest.setTimeout(300_000);

export interface ConsoleWorld {
  readonly stack: Stack;
  /** The clock of the registry. It begins at the present, because browsers have clocks of their own. */
  readonly clock: MovableClock;
  /** Opens a window without a session. */
  visit(options?: BrowserContextOptions): Promise<Visit>;
  /** An enrolled user of that role. */
  user(role: Role): Promise<StaffBrowser>;
  /** Signs in an enrolled user on the page that is open. */
  signIn(page: Page, user: StaffBrowser): Promise<void>;
  /** Opens a window at the path and signs in. */
  visitAs(user: StaffBrowser, path: string, options?: BrowserContextOptions): Promise<Visit>;
}

/** A registry with its console and a Chromium for the tests of one file. After each test, no window may have had a problem. */
export function useConsole(): ConsoleWorld {
  const clock = makeMovableClock(new Date());
  let stack: Stack | undefined;
  let browser: Browser | undefined;
  let visits: Visit[] = [];
  beforeAll(async () => {
    await buildConsoleIfChanged();
    stack = await startStack({ clock });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });
  afterEach(async () => {
    const problems = visits.flatMap((visit) => visit.problems);
    await Promise.all(visits.map(({ page }) => page.context().close()));
    visits = [];
    expect(problems).toEqual([]);
  });

  const running = <Started>(started: Started | undefined): Started => {
    if (started === undefined) throw new Error('the registry is not started');
    return started;
  };
  const world: ConsoleWorld = {
    clock,
    get stack() {
      return running(stack);
    },
    visit: async (options) => {
      const visit = await openVisit(running(browser), world.stack.baseUrl, options);
      visits.push(visit);
      return visit;
    },
    user: async (role) => {
      const user = await addStaffUser(world.stack, role);
      await enroll(world.stack, user);
      return user;
    },
    signIn: (page, user) => signInOnPage(page, user, clock),
    visitAs: async (user, path, options) => {
      const visit = await world.visit(options);
      await visit.page.goto(path);
      await world.signIn(visit.page, user);
      return visit;
    },
  };
  return world;
}
