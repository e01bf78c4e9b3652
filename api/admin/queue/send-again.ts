import { queueAddFailed } from '../../../shared/platform/events.ts';
import type { Tx } from '../../../shared/store/db.ts';
import {
  type SendingAgain,
  sendAllAgain as sendAll,
  sendAgain as sendOne,
} from '../../../shared/store/parked.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { byStaff } from '../by-staff.ts';

/** @throws {AppError} NOT_FOUND, CONFLICT */
export function sendAgain(
  context: ApiContext,
  request: AdminAdmitted<'sendAgain'>,
): Promise<AdminAnswer> {
  const { transmissionReference } = request.params;
  const by = byStaff(context, request);
  return send(context, (tx) => sendOne(tx, transmissionReference, by));
}

export function sendAllAgain(
  context: ApiContext,
  request: AdminAdmitted<'sendAllAgain'>,
): Promise<AdminAnswer> {
  const by = byStaff(context, request);
  return send(context, (tx) => sendAll(tx, request.body, by));
}

async function send(
  context: ApiContext,
  act: (tx: Tx) => Promise<SendingAgain>,
): Promise<AdminAnswer> {
  const { answer, woken } = await context.db.$transaction(act);
  try {
    await context.producer.enqueue(woken);
  } catch (err) {
    queueAddFailed(context, { transmissions: woken.length, err });
  }
  return { status: 200, data: answer };
}
