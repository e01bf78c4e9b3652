import { type MovableClock, makeMovableClock } from '../../../shared/platform/clock.ts';
import { startTestApi, type TestApi } from '../api/api-env.ts';
import { makeProbe } from '../api/probe-handlers.ts';

/** The time for which a code of an authenticator app is valid. */
export const STEP_MS = 30_000;

export interface SignInWorld {
  readonly clock: MovableClock;
  readonly api: TestApi;
}

/** An API for the tests of one file. Its clock advances before each test, so that no code has been used before. */
export function useSignInApi(advanceMs = 2 * STEP_MS): SignInWorld {
  const clock = makeMovableClock(new Date('2026-11-20T08:00:00Z'));
  let api: TestApi | undefined;
  beforeAll(async () => {
    api = await startTestApi({ handlers: makeProbe().handlers, clock });
  });
  afterAll(() => api?.stop());
  beforeEach(() => clock.advance(advanceMs));
  return {
    clock,
    get api() {
      if (api === undefined) throw new Error('the API is not started');
      return api;
    },
  };
}
