import {
  listImportErrors,
  listImports,
  listRegions,
} from '../../../shared/store/reference/imports.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function listReferenceRegions(
  { db }: ApiContext,
  { query }: StaffRequest<'listReferenceRegions'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await listRegions(db, query) };
}

export async function listReferenceImports(
  { db }: ApiContext,
  { query }: StaffRequest<'listReferenceImports'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await listImports(db, query) };
}

/** @throws {AppError} NOT_FOUND */
export async function listReferenceImportErrors(
  { db }: ApiContext,
  { params, query }: StaffRequest<'listReferenceImportErrors'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await listImportErrors(db, params.importId, query) };
}
