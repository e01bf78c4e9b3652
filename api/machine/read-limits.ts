import { type CallerLimits, COMMON_LIMITS } from '../../shared/contract/machine/access/limits.ts';
import { readActiveRuleSet } from '../../shared/store/staff/rule-sets.ts';
import type { ApiContext } from '../context.ts';
import type { Answer } from '../http/respond.ts';
import type { MachineRequest } from './request.ts';

/** The limits that hold for the caller now (D39). */
export async function readLimits(
  { db, clock, config }: ApiContext,
  { submitter, quota }: MachineRequest<'readLimits'>,
): Promise<Answer> {
  const now = clock.now();
  const ruleSet = await readActiveRuleSet(db, now);
  const data: CallerLimits = {
    perMinute: submitter.rateLimitPerMinute,
    ...quota,
    ...COMMON_LIMITS,
    ruleSet: {
      id: ruleSet.id,
      coverageTypes: ruleSet.coverageTypes,
      maxCoverageDays: ruleSet.maxCoverageDays,
      maxVehiclesPerCertificate: ruleSet.maxVehiclesPerCertificate,
      expiringWithinDays: ruleSet.expiringWithinDays,
      flagNoMatch: ruleSet.flagNoMatch,
      flagForReview: ruleSet.flagForReview,
    },
    registryTimeZone: config.registryTimeZone,
    serverTime: now.toISOString(),
    environment: config.registryEnvironment,
  };
  return { status: 200, data };
}
