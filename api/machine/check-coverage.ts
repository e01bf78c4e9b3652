import { AppError } from '../../shared/contract/errors.ts';
import { makeFinding } from '../../shared/contract/findings.ts';
import { normalizeIdentifier } from '../../shared/domain/identifiers.ts';
import { presentCoverage } from '../../shared/domain/presentation/present-coverage.ts';
import { calendarDate, endOfDate } from '../../shared/platform/clock.ts';
import { readDayOffset } from '../../shared/store/sandbox/registry-day.ts';
import type { Submitter } from '../auth/machine/submitter.ts';
import type { ApiContext } from '../context.ts';
import type { Answer } from '../http/respond.ts';
import type { MachineRequest } from './request.ts';
import { viewerOf } from './viewer.ts';

/**
 * api.md, "GET /api/v1/ppai/vehicles/{identifier}/coverage"; D17, D27, D34.
 * @throws {AppError} FORBIDDEN, NOT_FOUND, VALIDATION_FAILED
 */
export async function checkCoverage(
  { db, loaders, clock, config }: ApiContext,
  { params, query, submitter }: MachineRequest<'checkCoverage'>,
): Promise<Answer> {
  requireActiveOrganization(submitter);
  const { registryTimeZone } = config;
  const daysAhead = await readDayOffset(db, config);
  const today = calendarDate(clock.now(), registryTimeZone, daysAhead);
  const asOf = query.asOf ?? today;
  const pastSince = asOf < today ? endOfDate(asOf, registryTimeZone, daysAhead) : null;
  const identifier = normalizeIdentifier(params.identifier);
  const viewer = viewerOf(submitter);
  const found = identifier && (await loaders.findCoverage({ identifier, asOf, pastSince, viewer }));
  const result = found && presentCoverage(found.owners, asOf, found.expiringWithinDays);
  if (!result) throw new AppError('NOT_FOUND', 'no vehicle has this identifier');
  return { status: 200, data: result };
}

/** Its own transmissions and records it may still read (D34). */
function requireActiveOrganization({ organizationCode, organizationStatus }: Submitter): void {
  if (organizationStatus === 'ACTIVE') return;
  const message =
    'Your organization is not active: it may read its own transmissions and records, and not check coverage.';
  throw new AppError('FORBIDDEN', `${organizationCode} is ${organizationStatus}`, {
    message,
    details: [makeFinding('ORGANIZATION_NOT_ACTIVE', null, message)],
  });
}
