import { demandImport } from '../../../shared/store/reference/imports.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

/** @throws {AppError} NOT_FOUND */
export async function readReferenceImport(
  { db }: ApiContext,
  { params }: AdminAdmitted<'readReferenceImport'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await demandImport(db, params.importId) };
}
