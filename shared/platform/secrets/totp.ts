import { Secret, TOTP } from 'otpauth';

export interface TotpOptions {
  readonly issuer: string;
  readonly digits: number;
  readonly periodSeconds: number;
}

/** Codes of this many steps before and after the current one are valid, for inexact clocks and slow typing. */
const STEPS_AROUND = 1;
const SECRET_BYTES = 20;

/** A new secret in base32. */
export function makeTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The content of a QR code for authenticator apps. */
export function totpUri(secret: string, label: string, options: TotpOptions): string {
  return totpOf(secret, options, label).toString();
}

/** The number of the time step to which the code belongs. Undefined when the code is not valid at `now`. */
export function findTotpStep(
  secret: string,
  code: string,
  now: Date,
  options: TotpOptions,
): number | undefined {
  const timestamp = now.getTime();
  const delta = totpOf(secret, options).validate({ token: code, timestamp, window: STEPS_AROUND });
  if (delta === null) return undefined;
  return Math.floor(timestamp / 1_000 / options.periodSeconds) + delta;
}

function totpOf(secret: string, { issuer, digits, periodSeconds }: TotpOptions, label = ''): TOTP {
  return new TOTP({
    issuer,
    label,
    digits,
    period: periodSeconds,
    algorithm: 'SHA1',
    secret: Secret.fromBase32(secret),
  });
}
