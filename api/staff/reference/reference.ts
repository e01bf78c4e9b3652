import { IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';
import type { REFERENCE_ENDPOINTS } from '../../../shared/contract/staff/reference.ts';
import { readCriteria } from '../../../shared/domain/search-criteria.ts';
import { queueAddFailed } from '../../../shared/platform/events.ts';
import { newId } from '../../../shared/platform/new-id.ts';
import * as store from '../../../shared/store/reference/imports.ts';
import { listReferenceVehicles } from '../../../shared/store/reference/reference-vehicles.ts';
import type { ApiContext } from '../../context.ts';
import { actAsStaff } from '../act.ts';
import { requireMeaningfulCriteria } from '../criteria.ts';
import { type HandlersOf, ok, type StaffRequest } from '../route.ts';
import { storeUpload } from './upload.ts';

export const REFERENCE_HANDLERS: HandlersOf<typeof REFERENCE_ENDPOINTS> = {
  async listReferenceRegions({ db }, { query }) {
    return ok(await store.listRegions(db, query));
  },

  async listReferenceVehicles({ db }, { query }) {
    requireMeaningfulCriteria(query, IDENTIFIER_KINDS);
    const identifiers = readCriteria(query)?.identifiers ?? [];
    return ok(await listReferenceVehicles(db, { region: query.region, identifiers, page: query }));
  },

  /** Stores the file and queues its import, which a worker carries out. */
  async importReference(context, request) {
    const importId = newId();
    try {
      const stored = await storeUpload(context, importId, request.upload);
      const data = await actAsStaff(context, request, (tx, by) =>
        store.createImport(tx, stored, by),
      );
      await context.producer
        .enqueueImport({ id: importId, requestId: request.requestId })
        .catch((err: unknown) => queueAddFailed(context, { transmissions: 0, err }));
      const headers = { Location: `/admin/v1/reference/imports/${importId}` };
      return { status: 202, data, headers };
    } catch (error) {
      await dropUpload(context, request, importId);
      throw error;
    }
  },

  async listReferenceImports({ db }, { query }) {
    return ok(await store.listImports(db, query));
  },

  async readReferenceImport({ db }, { params }) {
    return ok(await store.requireImport(db, params.importId));
  },

  async listReferenceImportErrors({ db }, { params, query }) {
    return ok(await store.listImportErrors(db, params.importId, query));
  },
};

/** When even this fails, a sweep removes the chunks later. */
async function dropUpload(
  { db }: ApiContext,
  { logger }: StaffRequest<'importReference'>,
  importId: string,
): Promise<void> {
  try {
    await store.dropChunks(db, importId);
  } catch (err) {
    logger.warn({ err, importId }, 'the chunks of a refused upload could not be removed');
  }
}
