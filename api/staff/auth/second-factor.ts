import { TOTP_DIGITS, TOTP_PERIOD_SECONDS } from '../../../shared/contract/staff.ts';
import type { TotpOptions } from '../../../shared/platform/secrets/totp.ts';

/** What authenticator apps understand everywhere. */
export const TOTP: TotpOptions = {
  issuer: 'Transmission Registry',
  digits: TOTP_DIGITS,
  periodSeconds: TOTP_PERIOD_SECONDS,
};
