import type { AUDIT_ENDPOINTS } from '../../shared/contract/staff/audit.ts';
import * as store from '../../shared/store/staff/audit.ts';
import { type HandlersOf, ok } from './route.ts';

export const AUDIT_HANDLERS: HandlersOf<typeof AUDIT_ENDPOINTS> = {
  async listAudit({ db }, { query }) {
    return ok(await store.listAudit(db, query));
  },
};
