import { storeUpload } from '../../../api/staff/reference/upload.ts';
import { newId } from '../../../shared/platform/new-id.ts';
import { createImport } from '../../../shared/store/reference/imports.ts';
import type { WorkerContext } from '../../../worker/context.ts';
import { importReference } from '../../../worker/reference-import/import-reference.ts';
import { commandOf } from './command.ts';
import { PARTLY_REFUSED_FILE, REFUSED_FILE } from './reference-files.ts';

/** Uploads files of reference data with errors and lets the worker import them. They leave the reference data as it was. */
export async function importFiles(context: WorkerContext): Promise<void> {
  for (const file of [REFUSED_FILE, PARTLY_REFUSED_FILE]) {
    const by = commandOf(context);
    const importId = newId();
    const stored = await storeUpload(context, importId, chunksOf(file));
    await context.db.$transaction((tx) => createImport(tx, stored, by));
    await importReference(context, { importId, requestId: by.requestId });
  }
}

async function* chunksOf(file: Buffer): AsyncGenerator<Buffer> {
  yield file;
}
