import { makeStaffOpenApi } from '../../shared/contract/openapi/staff-document.ts';
import type { DESCRIPTION_ENDPOINTS } from '../../shared/contract/staff/description.ts';
import { BareJson, type HandlersOf } from './route.ts';

let document: BareJson | undefined;

export const DESCRIPTION_HANDLERS: HandlersOf<typeof DESCRIPTION_ENDPOINTS> = {
  /** Made at the first call, because most processes are never asked. */
  async readStaffOpenApi() {
    document ??= new BareJson(JSON.stringify(makeStaffOpenApi()));
    return document;
  },
};
