import { requireImport } from '../../../shared/store/reference/imports.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

/** @throws {AppError} NOT_FOUND */
export async function readReferenceImport(
  { db }: ApiContext,
  { params }: StaffRequest<'readReferenceImport'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await requireImport(db, params.importId) };
}
