import { AppError } from '../../shared/contract/errors.ts';
import { normalizeIdentifier } from '../../shared/domain/identifiers.ts';
import { presentCoverage } from '../../shared/domain/present-coverage.ts';
import { calendarDate, endOfDate } from '../../shared/platform/clock.ts';
import type { ApiContext } from '../context.ts';
import type { Answer } from '../edge/respond.ts';
import type { Admitted } from '../edge/route.ts';
import { viewerOf } from '../edge/viewer.ts';

/** api.md, "GET /api/v1/ppai/vehicles/{identifier}/coverage"; D17, D27. @throws {AppError} NOT_FOUND, VALIDATION_FAILED */
export async function checkCoverage(
  { roundTrips, clock, config }: ApiContext,
  { params, query, submitter }: Admitted<'checkCoverage'>,
): Promise<Answer> {
  const { registryTimeZone } = config;
  const today = calendarDate(clock.now(), registryTimeZone);
  const asOf = query.asOf ?? today;
  const pastSince = asOf < today ? endOfDate(asOf, registryTimeZone) : null;
  const identifier = normalizeIdentifier(params.identifier);
  const viewer = viewerOf(submitter);
  const found =
    identifier && (await roundTrips.findCoverage({ identifier, asOf, pastSince, viewer }));
  const result = found && presentCoverage(found.owners, asOf, found.expiringWithinDays);
  if (!result) throw new AppError('NOT_FOUND', 'no vehicle has this identifier');
  return { status: 200, data: result };
}
