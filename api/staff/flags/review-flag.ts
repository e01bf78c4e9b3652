import { type Review, reviewFlag } from '../../../shared/store/staff/flags.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

/** @throws {AppError} NOT_FOUND, CONFLICT */
export function clearFlag(
  context: ApiContext,
  request: StaffRequest<'clearFlag'>,
): Promise<StaffAnswer> {
  return review(context, request, 'CLEARED');
}

/** @throws {AppError} NOT_FOUND, CONFLICT */
export function referFlag(
  context: ApiContext,
  request: StaffRequest<'referFlag'>,
): Promise<StaffAnswer> {
  return review(context, request, 'REFERRED_TO_INSURER');
}

async function review(
  context: ApiContext,
  request: StaffRequest<'clearFlag' | 'referFlag'>,
  status: Review['status'],
): Promise<StaffAnswer> {
  const { flagId } = request.params;
  const { notes } = request.body;
  const data = await changeByStaff(context, request, (tx, by) =>
    reviewFlag(tx, { flagId, status, notes }, by),
  );
  return { status: 200, data };
}
