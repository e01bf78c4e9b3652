import { Secret, TOTP } from 'otpauth';

export interface TotpOptions {
  readonly issuer: string;
  readonly digits: number;
  readonly periodSeconds: number;
}

/** Codes of this many steps before and after count, for clocks that differ and people who are slow. */
const STEPS_AROUND = 1;
const SECRET_BYTES = 20;

/** A new secret in base32. */
export function makeTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** For a QR code that authenticator apps read. */
export function totpUri(secret: string, label: string, options: TotpOptions): string {
  return totpOf(secret, options, label).toString();
}

/** The number of the time step that the code belongs to. Undefined when it is no code of now. */
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
