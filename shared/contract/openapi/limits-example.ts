import { type CallerLimits, COMMON_LIMITS } from '../machine/access/limits.ts';

export const LIMITS_EXAMPLE: CallerLimits = {
  perMinute: 120,
  remaining: 119,
  resetSeconds: 60,
  ...COMMON_LIMITS,
  ruleSet: {
    id: '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b',
    coverageTypes: ['PPAI_STANDARD'],
    maxCoverageDays: 400,
    maxVehiclesPerCertificate: 500,
    expiringWithinDays: 30,
    flagNoMatch: true,
    flagForReview: false,
  },
  registryTimeZone: 'Asia/Manila',
  serverTime: '2026-10-01T02:03:04.567Z',
  environment: 'production',
};
