import type { Response } from 'express';
import { AppError } from '../../shared/contract/errors.ts';
import type { EventDeps, RefusedCaller } from '../../shared/platform/events.ts';
import type { Metrics } from '../../shared/platform/metrics.ts';
import { CLIENT_ID_PATTERN } from '../../shared/store/access/clients.ts';
import { requestContextOf } from '../http/request-context.ts';

/** Nothing to say about the caller: what was sent is wrong, or the service. */
const ABOUT_CALLER: ReadonlySet<number> = new Set([401, 403, 429]);

/** Runs what tells who calls. Should it refuse the caller, log and metrics learn who that was, or claims to be. */
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

/** What a caller says it is, if it looks like an id: secrets get into the wrong field, too, and never into the log. */
export function claimOf(clientId: unknown): string | undefined {
  return typeof clientId === 'string' && CLIENT_ID_PATTERN.test(clientId) ? clientId : undefined;
}
