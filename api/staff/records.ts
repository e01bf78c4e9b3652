import { IDENTIFIER_KINDS } from '../../shared/contract/enums.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { makeFinding } from '../../shared/contract/findings.ts';
import {
  FINDING_DAYS_MAX,
  type RECORD_ENDPOINTS,
  type SubmittedBody,
  type TransmissionQuery,
} from '../../shared/contract/staff/records.ts';
import { mayRole } from '../../shared/contract/staff.ts';
import { normalizeIdentifier } from '../../shared/domain/identifiers.ts';
import { maskBody, personalPathsOf } from '../../shared/domain/presentation/mask-body.ts';
import { presentSummary } from '../../shared/domain/presentation/present-summary.ts';
import { readCriteria } from '../../shared/domain/search-criteria.ts';
import { readToday } from '../../shared/store/sandbox/registry-day.ts';
import { recordAudit } from '../../shared/store/staff/audit.ts';
import { listRecords, STAFF_VIEWER } from '../../shared/store/staff/records.ts';
import * as store from '../../shared/store/staff/transmissions.ts';
import type { ApiContext } from '../context.ts';
import { makeRecordHandlers } from '../records/record-handlers.ts';
import { actAsStaff } from './act.ts';
import { emptyOnceNormalized, requireMeaningfulCriteria } from './criteria.ts';
import { type HandlersOf, ok, type StaffRequest } from './route.ts';

interface RecordRequest {
  readonly params: { readonly registryReference: string };
}

/** Records and transmissions of all organizations. */
export const RECORD_HANDLERS: HandlersOf<typeof RECORD_ENDPOINTS> = {
  async listRecords({ db, keyring, clock, config }, { query }) {
    requireMeaningfulCriteria(query, CRITERIA);
    const now = clock.now();
    const today = await readToday(db, config, now);
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
    if (query.identifier !== undefined && normalizeIdentifier(query.identifier) === null)
      throw emptyOnceNormalized(['identifier']);
    requireDaysOfFinding(query);
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

const DAY_MS = 86_400_000;

/** @throws {AppError} VALIDATION_FAILED when a search for findings would read more than FINDING_DAYS_MAX days */
function requireDaysOfFinding({ findingCode, receivedFrom, receivedTo }: TransmissionQuery): void {
  if (findingCode === undefined) return;
  const ms = Date.parse(receivedTo ?? '') - Date.parse(receivedFrom ?? '');
  if (ms <= FINDING_DAYS_MAX * DAY_MS) return;
  throw new AppError('VALIDATION_FAILED', 'the search for findings has no short time', {
    details: [
      makeFinding(
        'INVALID_FORMAT',
        'findingCode',
        `Needs receivedFrom and receivedTo, at most ${FINDING_DAYS_MAX} days apart.`,
      ),
    ],
  });
}

const CRITERIA = [...IDENTIFIER_KINDS, 'policyNumber', 'cocNumber'] as const;

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
