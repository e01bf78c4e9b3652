import { AppError } from '../../../shared/contract/errors.ts';
import type { SubmittedBody } from '../../../shared/contract/staff/records.ts';
import { mayRole } from '../../../shared/contract/staff.ts';
import type { Db } from '../../../shared/db/prisma.ts';
import { maskBody, personalPathsOf } from '../../../shared/domain/presentation/mask-body.ts';
import { recordAudit } from '../../../shared/store/staff/audit.ts';
import { findSubmittedBody, type SubmittedRow } from '../../../shared/store/staff/transmissions.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

type BodyRequest = StaffRequest<'readTransmissionBody'>;

/** Unmasked only for those who may and who ask for it, and never without its entry in the audit log (D22). @throws {AppError} NOT_FOUND, FORBIDDEN */
export async function readTransmissionBody(
  context: ApiContext,
  request: BodyRequest,
): Promise<StaffAnswer> {
  const { params, query } = request;
  const { transmissionReference } = params;
  const isPlain = query.personalData === 'plain';
  const { kind, body } = isPlain
    ? await readPlain(context, request)
    : await requireBody(context.db, context, transmissionReference);
  const data: SubmittedBody = {
    transmissionReference,
    kind,
    personalData: query.personalData,
    body: isPlain ? { ...body } : maskBody(body),
  };
  return { status: 200, data };
}

function readPlain(context: ApiContext, request: BodyRequest): Promise<SubmittedRow> {
  const { transmissionReference } = request.params;
  return changeByStaff(context, request, async (tx, by, { role }) => {
    if (!mayRole(role, 'personal-data:read')) {
      throw new AppError('FORBIDDEN', `${role} may not read personal data`);
    }
    const found = await requireBody(tx, context, transmissionReference);
    await recordAudit(tx, {
      ...by,
      action: 'PERSONAL_DATA_READ',
      target: { type: 'TRANSMISSION', id: transmissionReference },
      after: { read: personalPathsOf(found.body) },
    });
    return found;
  });
}

async function requireBody(
  db: Pick<Db, '$queryRaw'>,
  { keyring }: ApiContext,
  transmissionReference: string,
): Promise<SubmittedRow> {
  const found = await findSubmittedBody(db, keyring, transmissionReference);
  if (found === undefined) throw new AppError('NOT_FOUND', 'no such transmission');
  return found;
}
