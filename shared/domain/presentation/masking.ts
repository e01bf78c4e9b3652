import type { OrganizationType } from '../../contract/enums.ts';

// All masks of personal data are here (D22). Null stays null.

const PHONE_DIGITS_SHOWN = 4;
const TIN_CHARACTERS_SHOWN = 3;

/** Shows the last three characters, or nothing of a TIN that is not longer. */
export function maskTin(tin: string | null): string | null {
  if (tin === null) return null;
  const hidden = Math.max(tin.length - TIN_CHARACTERS_SHOWN, 0);
  return hidden === 0 ? '***' : '*'.repeat(hidden) + tin.slice(hidden);
}

/** Shows the first character and the domain. */
export function maskEmail(email: string | null): string | null {
  if (email === null) return null;
  const at = email.lastIndexOf('@');
  if (at < 1) return '***';
  return `${String.fromCodePoint(email.codePointAt(0) ?? 42)}***${email.slice(at)}`;
}

/** Shows the last four digits, or nothing of a number that has no more. */
export function maskPhone(phone: string | null): string | null {
  if (phone === null) return null;
  const digits = phone.replace(/\D/gu, '');
  return digits.length <= PHONE_DIGITS_SHOWN
    ? '***'
    : `${'*'.repeat(digits.length - PHONE_DIGITS_SHOWN)}${digits.slice(-PHONE_DIGITS_SHOWN)}`;
}

/** Outside the staff realm a reviewer appears only as REGULATOR. */
export function maskReviewer(reviewedBy: string | null): string | null {
  return reviewedBy === null ? null : ('REGULATOR' satisfies OrganizationType);
}

/** The personal members of an operator, and their masks. */
export const PERSONAL_MASKS = {
  tin: maskTin,
  contactEmail: maskEmail,
  contactPhone: maskPhone,
} as const;
