import { type Review, reviewFlag } from '../../../shared/store/flags.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { byStaff } from '../by-staff.ts';

/** @throws {AppError} NOT_FOUND, CONFLICT */
export function clearFlag(
  context: ApiContext,
  request: AdminAdmitted<'clearFlag'>,
): Promise<AdminAnswer> {
  return review(context, request, 'CLEARED');
}

/** @throws {AppError} NOT_FOUND, CONFLICT */
export function referFlag(
  context: ApiContext,
  request: AdminAdmitted<'referFlag'>,
): Promise<AdminAnswer> {
  return review(context, request, 'REFERRED_TO_INSURER');
}

async function review(
  context: ApiContext,
  request: AdminAdmitted<'clearFlag' | 'referFlag'>,
  status: Review['status'],
): Promise<AdminAnswer> {
  const { flagId } = request.params;
  const { notes } = request.body;
  const by = byStaff(context, request);
  const data = await context.db.$transaction((tx) => reviewFlag(tx, { flagId, status, notes }, by));
  return { status: 200, data };
}
