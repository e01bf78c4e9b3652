import type { Request } from 'express';
import { AppError, type ErrorCode, type ErrorExtras } from '../../../shared/contract/errors.ts';
import { makeFinding } from '../../../shared/contract/findings.ts';
import type { ConflictData } from '../../../shared/contract/machine/acknowledgment.ts';
import type { Endpoint } from '../../../shared/contract/machine/endpoints.ts';
import {
  findScenario,
  SCENARIO_HEADER,
  type Scenario,
  scenariosOf,
} from '../../../shared/contract/machine/sandbox/scenario.ts';
import type { ServiceConfig } from '../../../shared/platform/config/config.ts';
import { pause } from '../../../shared/platform/repeat.ts';
import type { Answer } from '../../http/respond.ts';
import type { Checked } from '../../http/schema/check-schema.ts';

/**
 * Reads the scenario that the caller asks for (D40). Outside the sandbox every endpoint refuses the header, so that a client with
 * settings of the sandbox is noticed. Within it, endpoints without scenarios ignore it, because clients may send it with all requests.
 */
export function checkScenario(
  { registryEnvironment }: Pick<ServiceConfig, 'registryEnvironment'>,
  endpoint: Endpoint,
  request: Request,
): Checked<Scenario | undefined> {
  const text = request.get(SCENARIO_HEADER);
  if (text === undefined) return { value: undefined };
  if (registryEnvironment !== 'sandbox') return refused('Only the sandbox has scenarios.');
  if (endpoint.outcomes === undefined) return { value: undefined };
  const scenario = findScenario(endpoint, text);
  if (scenario !== undefined) return { value: scenario };
  return refused(`Must be one of ${scenariosOf(endpoint).join(', ')}.`);
}

function refused(message: string): Checked<never> {
  return { findings: [makeFinding('INVALID_FORMAT', SCENARIO_HEADER, message)] };
}

/**
 * Answers as the scenario says, if it concerns the answer alone (D40). SLOW holds the answer to a request that is processed as
 * ever, so that a caller who gives up can find out what became of it. @throws {AppError} the refusal that was asked for
 */
export async function answerInScenario(
  { scenario, signal }: { readonly scenario: Scenario | undefined; readonly signal: AbortSignal },
  answer: () => Promise<Answer>,
): Promise<Answer> {
  switch (scenario?.kind) {
    case 'REFUSE':
      throw new AppError(scenario.code, 'a scenario of the sandbox', extrasOf(scenario.code));
    case 'SLOW':
      try {
        return await answer();
      } finally {
        await pause(scenario.ms, signal);
      }
    case 'OUTCOME':
    case 'HOLD':
    case undefined:
      return answer();
    default:
      return scenario satisfies never;
  }
}

const RETRY_AFTER_THROTTLED_SECONDS = 2;
const RETRY_AFTER_IN_PROGRESS_SECONDS = 30;
/** No transmission has this number. */
const CONFLICT: ConflictData = {
  transmissionReference: 'PPAI-TX-2026-000000000',
  status: 'VALIDATING',
};

/** What the real refusal has besides its code. */
function extrasOf(code: ErrorCode): ErrorExtras {
  switch (code) {
    case 'RATE_LIMITED':
      return { headers: { 'Retry-After': String(RETRY_AFTER_THROTTLED_SECONDS) } };
    case 'IDEMPOTENCY_KEY_REUSED':
      return { data: CONFLICT };
    case 'TRANSMISSION_IN_PROGRESS':
      return {
        data: CONFLICT,
        headers: { 'Retry-After': String(RETRY_AFTER_IN_PROGRESS_SECONDS) },
      };
    case 'INVALID_TOKEN':
      return { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } };
    default:
      return {};
  }
}
