import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { FindingCode } from '../../findings.ts';
import { type Endpoint, SIGNED_ERRORS } from '../endpoints.ts';

// What a sender in the sandbox can ask for instead of waiting for it to happen (D40).

export const SCENARIO_HEADER = 'X-PPAI-Sandbox-Scenario';

/** Shorter than BACKLOG_AGE_MAX_SECONDS, so that a held transmission does not make the registry refuse others (D20). */
export const IN_PROGRESS_SECONDS_MAX = 300;
export const SLOW_MS_MAX = 30_000;

/** The rejections: the error code, and the finding from which it follows. */
export const REJECTION_FINDINGS = {
  VALIDATION_FAILED: 'INVALID_FORMAT',
  DUPLICATE_TRANSMISSION: 'DUPLICATE_TRANSMISSION',
  COC_ALREADY_REGISTERED: 'COC_ALREADY_REGISTERED',
  VEHICLE_ALREADY_INSURED: 'VEHICLE_ALREADY_INSURED',
  IMMUTABLE_FIELD: 'IMMUTABLE_FIELD',
  RECORD_MISMATCH: 'RECORD_MISMATCH',
  RECORD_CANCELLED: 'RECORD_CANCELLED',
  CONFLICT: 'VERSION_MISMATCH',
} as const satisfies Partial<Record<ErrorCode, FindingCode>>;
export type RejectionScenario = keyof typeof REJECTION_FINDINGS;

export type OutcomeScenario = 'ACCEPTED' | 'FLAGGED' | RejectionScenario;

/** OUTCOME and HOLD are recorded with the transmission. REFUSE and SLOW concern one answer and are not recorded. */
export type Scenario =
  | { readonly kind: 'OUTCOME'; readonly outcome: OutcomeScenario }
  | { readonly kind: 'HOLD'; readonly seconds: number }
  | { readonly kind: 'REFUSE'; readonly code: ErrorCode }
  | { readonly kind: 'SLOW'; readonly ms: number };

type SubmittingEndpoint = Pick<Endpoint, 'outcomes' | 'errors'>;

/** Undefined for a text that is no scenario of the endpoint. */
export function findScenario(endpoint: SubmittingEndpoint, text: string): Scenario | undefined {
  const outcome = endpoint.outcomes?.find((one) => one === text);
  if (outcome !== undefined) return { kind: 'OUTCOME', outcome };
  if (text === 'THROTTLED') return { kind: 'REFUSE', code: 'RATE_LIMITED' };
  if (text === 'FAULT') return { kind: 'REFUSE', code: 'INTERNAL_ERROR' };
  const seconds = findAmount(text, 'IN_PROGRESS', IN_PROGRESS_SECONDS_MAX);
  if (seconds !== undefined) return { kind: 'HOLD', seconds };
  const ms = findAmount(text, 'SLOW', SLOW_MS_MAX);
  if (ms !== undefined) return { kind: 'SLOW', ms };
  const code = codesOf(endpoint).find((one) => one === text);
  if (code === undefined) return undefined;
  return isRejection(code) ? { kind: 'OUTCOME', outcome: code } : { kind: 'REFUSE', code };
}

/** Every scenario of the endpoint, as a sender writes it. */
export function scenariosOf(endpoint: SubmittingEndpoint): string[] {
  return [
    ...(endpoint.outcomes ?? []),
    `IN_PROGRESS=<seconds, 1 to ${IN_PROGRESS_SECONDS_MAX}>`,
    'THROTTLED',
    'FAULT',
    `SLOW=<milliseconds, 1 to ${SLOW_MS_MAX}>`,
    ...codesOf(endpoint),
  ];
}

function codesOf({ errors }: SubmittingEndpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>([...errors, ...SIGNED_ERRORS]);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

function isRejection(code: ErrorCode): code is RejectionScenario {
  return code in REJECTION_FINDINGS;
}

function findAmount(text: string, name: string, max: number): number | undefined {
  const [given, digits = '', ...rest] = text.split('=');
  if (given !== name || rest.length > 0 || !/^[1-9]\d{0,4}$/.test(digits)) return undefined;
  const amount = Number(digits);
  return amount <= max ? amount : undefined;
}
