import { IDENTIFIER_KINDS } from '../../shared/contract/enums.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { makeFinding } from '../../shared/contract/findings.ts';
import type {
  RECORD_ENDPOINTS,
  RecordQuery,
  SubmittedBody,
} from '../../shared/contract/staff/records.ts';
import { mayRole } from '../../shared/contract/staff.ts';
import { maskBody, personalPathsOf } from '../../shared/domain/presentation/mask-body.ts';
import { presentSummary } from '../../shared/domain/presentation/present-summary.ts';
import { readCriteria } from '../../shared/domain/search-criteria.ts';
import { calendarDate } from '../../shared/platform/clock.ts';
import { recordAudit } from '../../shared/store/staff/audit.ts';
import { listRecords, STAFF_VIEWER } from '../../shared/store/staff/records.ts';
import * as store from '../../shared/store/staff/transmissions.ts';
import type { ApiContext } from '../context.ts';
import { makeRecordHandlers } from '../records/record-handlers.ts';
import { actAsStaff } from './act.ts';
import { type HandlersOf, ok, type StaffRequest } from './route.ts';

interface RecordRequest {
  readonly params: { readonly registryReference: string };
}

/** Records and transmissions of all organizations. */
export const RECORD_HANDLERS: HandlersOf<typeof RECORD_ENDPOINTS> = {
  async listRecords({ db, keyring, clock, config }, { query }) {
    requireMeaningfulCriteria(query);
    const now = clock.now();
    const today = calendarDate(now, config.registryTimeZone);
    const question = { query, criteria: readCriteria(query), now, today };
    const { expiringWithinDays, items, ...page } = await listRecords(db, keyring, question);
    const day = { today, expiringWithinDays };
    return ok({ ...page, items: items.map((row) => presentSummary(row, day)) });
  },

  ...makeRecordHandlers(({ params: { registryReference } }: RecordRequest) => ({
    viewer: STAFF_VIEWER,
    reader: { kind: 'STAFF', path: `/admin/v1/records/${registryReference}` },
  })),

  async listTransmissions({ db }, { query }) {
    return ok(await store.listTransmissions(db, query));
  },

  async readTransmission({ db }, { params }) {
    return ok(await store.requireTransmissionDetail(db, params.transmissionReference));
  },

  /** Unmasked only for a role that may read personal data and asks for it, and never without an audit entry (D22). */
  async readTransmissionBody(context, request) {
    const { transmissionReference } = request.params;
    const { personalData } = request.query;
    const { db, keyring } = context;
    const isPlain = personalData === 'plain';
    const { kind, body } = isPlain
      ? await readPlainBody(context, request)
      : await store.requireSubmittedBody(db, keyring, transmissionReference);
    return ok({
      transmissionReference,
      kind,
      personalData,
      body: isPlain ? { ...body } : maskBody(body),
    } satisfies SubmittedBody);
  },
};

const CRITERIA = [...IDENTIFIER_KINDS, 'policyNumber', 'cocNumber'] as const;

/**
 * A criterion that normalization leaves empty (D7) would be ignored, and every record listed as if it had been found.
 * @throws {AppError} VALIDATION_FAILED
 */
function requireMeaningfulCriteria(query: RecordQuery): void {
  const empty = CRITERIA.filter(
    (name) => query[name] !== undefined && readCriteria({ [name]: query[name] }) === undefined,
  );
  if (empty.length === 0) return;
  throw new AppError('VALIDATION_FAILED', 'a criterion is empty once it is normalized', {
    details: empty.map((name) =>
      makeFinding('INVALID_FORMAT', name, 'Nothing is left of it once it is normalized.'),
    ),
  });
}

function readPlainBody(
  context: ApiContext,
  request: StaffRequest<'readTransmissionBody'>,
): Promise<store.SubmittedRow> {
  const { transmissionReference } = request.params;
  return actAsStaff(context, request, async (tx, by, { role }) => {
    if (!mayRole(role, 'personal-data:read')) {
      throw new AppError('FORBIDDEN', `${role} may not read personal data`);
    }
    const found = await store.requireSubmittedBody(tx, context.keyring, transmissionReference);
    await recordAudit(tx, {
      ...by,
      action: 'PERSONAL_DATA_READ',
      target: { type: 'TRANSMISSION', id: transmissionReference },
      after: { read: personalPathsOf(found.body) },
    });
    return found;
  });
}
