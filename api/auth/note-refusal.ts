import type { Response } from 'express';
import { AppError } from '../../shared/contract/errors.ts';
import type { EventDeps, RefusedCaller } from '../../shared/platform/events.ts';
import type { Metrics } from '../../shared/platform/metrics.ts';
import { CLIENT_ID_PATTERN } from '../../shared/store/access/clients.ts';
import { requestContextOf } from '../http/request-context.ts';

/** The statuses of refusals that concern the caller. Others mean that the request or the service is at fault. */
const ABOUT_CALLER: ReadonlySet<number> = new Set([401, 403, 429]);

/** Runs an authentication. If it refuses the caller, the log and the metrics get the caller's id, verified or claimed. */
export async function notingRefusal<Result>(
  { metrics }: { readonly metrics: Metrics },
  response: Response,
  note: (deps: EventDeps, caller: RefusedCaller) => void,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AppError && ABOUT_CALLER.has(error.status)) {
      const { logger, address, clientId, claimedClientId } = requestContextOf(response);
      note(
        { logger, metrics },
        { code: error.code, address, clientId: clientId ?? claimedClientId },
      );
    }
    throw error;
  }
}

/** The client id that the caller claims, if it looks like one: a secret sent in the wrong field must not reach the log. */
export function claimOf(clientId: unknown): string | undefined {
  return typeof clientId === 'string' && CLIENT_ID_PATTERN.test(clientId) ? clientId : undefined;
}
