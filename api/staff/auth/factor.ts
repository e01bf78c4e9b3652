import { makeConflict } from '../../../shared/contract/conflict.ts';
import { AppError, ERRORS } from '../../../shared/contract/errors.ts';
import { TOTP_DIGITS, TOTP_PERIOD_SECONDS } from '../../../shared/contract/staff.ts';
import type { Tx } from '../../../shared/db/prisma.ts';
import { findTotpStep, type TotpOptions } from '../../../shared/platform/secrets/totp.ts';
import {
  confirmTotpSecret,
  openTotpSecret,
  useTotpStep,
} from '../../../shared/store/staff/sign-in/credentials.ts';
import { useRecoveryCode } from '../../../shared/store/staff/sign-in/recovery-codes.ts';
import type { StaffChallenge } from '../../../shared/store/staff/sign-in/sessions.ts';
import type { ApiContext } from '../../context.ts';

/** Options that every authenticator app supports. */
export const TOTP: TotpOptions = {
  issuer: 'Transmission Registry',
  digits: TOTP_DIGITS,
  periodSeconds: TOTP_PERIOD_SECONDS,
};

type Factor = Pick<StaffChallenge, 'userId' | 'totpSealed' | 'pendingSealed'>;

/** Uses up a code, so that it cannot be used twice; a code of a pending secret confirms the secret. @throws {AppError} INVALID_MFA_CODE, CONFLICT */
export async function useFactor(
  { keyring, clock, config }: ApiContext,
  tx: Tx,
  { userId, totpSealed, pendingSealed }: Factor,
  code: string,
): Promise<'code' | 'recovery code' | 'enrollment'> {
  const now = clock.now();
  const sealed = totpSealed ?? pendingSealed;
  const isDigits = /^\d{6}$/.test(code.trim());
  const step =
    isDigits && sealed !== undefined
      ? findTotpStep(openTotpSecret(keyring, userId, sealed), code.trim(), now, TOTP)
      : undefined;
  if (step !== undefined && totpSealed !== undefined) {
    if (await useTotpStep(tx, { userId, sealed: totpSealed, step })) return 'code';
    throw new AppError('INVALID_MFA_CODE', 'the code was used');
  }
  if (step !== undefined && pendingSealed !== undefined) {
    if (await confirmTotpSecret(tx, { userId, sealed: pendingSealed, step })) return 'enrollment';
    throw enrolledMeanwhile();
  }
  const isRecovery =
    totpSealed !== undefined &&
    !isDigits &&
    (await useRecoveryCode(tx, { userId, code, peppers: config.clientSecretPepper, now }));
  if (isRecovery) return 'recovery code';
  throw new AppError('INVALID_MFA_CODE', 'the code is wrong or expired');
}

/** For the second of two sign-ins that enroll a second factor at once. */
export function enrolledMeanwhile(): AppError {
  return makeConflict('ALREADY_ENROLLED', {
    reason: 'another sign-in enrolled a second factor meanwhile',
    message: ERRORS.CONFLICT.title,
  });
}
