import { AppError } from '../../../shared/contract/errors.ts';
import type { SandboxClock } from '../../../shared/contract/machine/sandbox/clock.ts';
import { calendarDate } from '../../../shared/platform/clock.ts';
import { readDayOffset, setDayOffset } from '../../../shared/store/sandbox/registry-day.ts';
import type { ApiContext } from '../../context.ts';
import type { Answer } from '../../http/respond.ts';
import type { MachineRequest } from '../request.ts';

/** D40. @throws {AppError} NOT_FOUND outside the sandbox */
export async function readSandboxClock(context: ApiContext): Promise<Answer> {
  requireSandbox(context);
  return answerClock(context, await readDayOffset(context.db, context.config));
}

/** D40: moves the calendar for everybody in the sandbox. @throws {AppError} NOT_FOUND outside the sandbox */
export async function setSandboxClock(
  context: ApiContext,
  { body }: MachineRequest<'setSandboxClock'>,
): Promise<Answer> {
  requireSandbox(context);
  await setDayOffset(context.db, body.dayOffset);
  return answerClock(context, body.dayOffset);
}

function requireSandbox({ config }: ApiContext): void {
  if (config.registryEnvironment !== 'sandbox')
    throw new AppError('NOT_FOUND', 'this is not the sandbox');
}

function answerClock({ clock, config }: ApiContext, dayOffset: number): Answer {
  const now = clock.now();
  const today = calendarDate(now, config.registryTimeZone, dayOffset);
  return { status: 200, data: { dayOffset, today, now: now.toISOString() } satisfies SandboxClock };
}
