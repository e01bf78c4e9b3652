import { queueAddFailed } from '../../../shared/platform/events.ts';
import { newId } from '../../../shared/platform/new-id.ts';
import { createImport, dropChunks } from '../../../shared/store/reference/imports.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';
import { storeUpload } from './store-upload.ts';

/** Stores and queues; a worker does the rest. @throws {AppError} UNSUPPORTED_FILE, PAYLOAD_TOO_LARGE */
export async function importReference(
  context: ApiContext,
  request: StaffRequest<'importReference'>,
): Promise<StaffAnswer> {
  const { producer } = context;
  const importId = newId();
  try {
    const stored = await storeUpload(context, importId, request.upload);
    const data = await changeByStaff(context, request, (tx, by) => createImport(tx, stored, by));
    await producer
      .enqueueImport({ id: importId, requestId: request.requestId })
      .catch((err: unknown) => queueAddFailed(context, { transmissions: 0, err }));
    const headers = { Location: `/admin/v1/reference/imports/${importId}` };
    return { status: 202, data, headers };
  } catch (error) {
    await dropUpload(context, request, importId);
    throw error;
  }
}

/** Should even this fail, a sweep removes the chunks later. */
async function dropUpload(
  { db }: ApiContext,
  { logger }: Pick<StaffRequest<'importReference'>, 'logger'>,
  importId: string,
): Promise<void> {
  try {
    await dropChunks(db, importId);
  } catch (err) {
    logger.warn({ err, importId }, 'the chunks of a refused upload could not be removed');
  }
}
