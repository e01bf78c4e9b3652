import {
  type AUDIT_ENDPOINTS,
  AUDIT_VERIFIED_MAX,
  type AuditVerification,
} from '../../shared/contract/staff/audit.ts';
import * as store from '../../shared/store/staff/audit.ts';
import {
  type AuditHead,
  type ChainReport,
  verifyAudit,
} from '../../shared/store/staff/audit-chain.ts';
import { type HandlersOf, ok } from './route.ts';

export const AUDIT_HANDLERS: HandlersOf<typeof AUDIT_ENDPOINTS> = {
  async listAudit({ db }, { query }) {
    return ok(await store.listAudit(db, query));
  },

  async verifyAudit({ db, keyring }, { query: { expect } }) {
    const expected = expect === undefined ? undefined : readHead(expect);
    const report = await verifyAudit(db, keyring, expected, AUDIT_VERIFIED_MAX);
    return ok(presentReport(report));
  },
};

/** The schema has checked the form `sequence:hash`. */
function readHead(text: string): AuditHead {
  const [sequence, hash = ''] = text.split(':');
  return { sequence: Number(sequence), hash };
}

function presentReport(report: ChainReport): AuditVerification {
  if (!report.isSound) {
    const { brokenAt, reason } = report;
    return { state: 'BROKEN', verifiedFrom: null, head: null, brokenAt, reason };
  }
  const { head, isSealed } = report;
  const verifiedFrom = Math.max(head.sequence - AUDIT_VERIFIED_MAX, 0) + 1;
  const state = isSealed ? 'SOUND' : 'NOT_SEALED';
  return { state, verifiedFrom, head, brokenAt: null, reason: null };
}
