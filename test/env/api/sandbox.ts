import { SCENARIO_HEADER } from '../../../shared/contract/machine/sandbox/scenario.ts';
import { requireEnvironment } from '../../../shared/store/sandbox/environment.ts';
import type { TestAnswer } from './signed-request.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';

export interface Sandbox extends Stack {
  /** POSTs a body with a scenario (D40). */
  play(client: string, path: string, scenario: string, body: object): Promise<TestAnswer>;
}

/** An API and a worker with a database that belongs to the sandbox. */
export async function startSandbox(options: StackOptions = {}): Promise<Sandbox> {
  const environment = { ...options.environment, REGISTRY_ENVIRONMENT: 'sandbox' };
  const stack = await startStack({ ...options, environment });
  await requireEnvironment(stack.api.context.db, 'sandbox');
  return {
    ...stack,
    play: (client, path, scenario, body) =>
      stack.post(client, path, body, { [SCENARIO_HEADER]: scenario }),
  };
}
