import type { Tx } from '../../../shared/db/prisma.ts';
import { queueAddFailed } from '../../../shared/platform/events.ts';
import {
  type SendingAgain,
  sendAllAgain as sendAll,
  sendAgain as sendOne,
} from '../../../shared/store/intake/parked.ts';
import type { By } from '../../../shared/store/staff/users.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

/** @throws {AppError} NOT_FOUND, CONFLICT */
export function sendAgain(
  context: ApiContext,
  request: StaffRequest<'sendAgain'>,
): Promise<StaffAnswer> {
  const { transmissionReference } = request.params;
  return send(context, request, (tx, by) => sendOne(tx, transmissionReference, by));
}

export function sendAllAgain(
  context: ApiContext,
  request: StaffRequest<'sendAllAgain'>,
): Promise<StaffAnswer> {
  return send(context, request, (tx, by) => sendAll(tx, request.body, by));
}

async function send(
  context: ApiContext,
  request: StaffRequest<'sendAgain' | 'sendAllAgain'>,
  act: (tx: Tx, by: By) => Promise<SendingAgain>,
): Promise<StaffAnswer> {
  const { answer, woken } = await changeByStaff(context, request, act);
  try {
    await context.producer.enqueue(woken);
  } catch (err) {
    queueAddFailed(context, { transmissions: woken.length, err });
  }
  return { status: 200, data: answer };
}
