import { z } from 'zod';
import { trimBaseUrl } from '../../../base-url.ts';

export const JOURNAL_FORMAT = 1;

/** What the outcomes of a certificate are named by, so that a person finds the row. */
const Named = z.object({
  /** The externalTransactionId in the file. */
  id: z.string(),
  /** The externalTransactionId that was sent: `id`, or `<id>.r2` after --renew-ids. */
  sentId: z.string(),
  bodySha256: z.string(),
  line: z.number(),
  policy: z.string().nullable(),
  coc: z.string().nullable(),
  plate: z.string().nullable(),
});
export type Named = z.infer<typeof Named>;

export const JournalHeader = z.object({
  type: z.literal('header'),
  format: z.literal(JOURNAL_FORMAT),
  file: z.string(),
  sha256: z.string(),
  size: z.number(),
  /** Earlier releases kept the slash at its end. */
  baseUrl: z.string().transform(trimBaseUrl),
  clientId: z.string(),
  batch: z.string(),
  version: z.string(),
  total: z.number(),
  at: z.string(),
});
export type JournalHeader = z.infer<typeof JournalHeader>;

/** The registry has received the transmission; its outcome is not known yet. */
export const SentLine = Named.extend({
  type: z.literal('sent'),
  transmissionReference: z.string(),
  at: z.string(),
});
export type SentLine = z.infer<typeof SentLine>;

export const ENDS = ['accepted', 'flagged', 'rejected', 'failed', 'inProgress'] as const;
export type End = (typeof ENDS)[number];

/** `failed`: refused without a verdict. `inProgress`: no verdict before the deadline. Both are sent again. */
export const SettledLine = Named.extend({
  type: z.literal('settled'),
  end: z.enum(ENDS),
  http: z.number(),
  errorCode: z.string().nullable(),
  transmissionReference: z.string().nullable(),
  registryReference: z.string().nullable(),
  details: z.array(
    z.object({ code: z.string(), field: z.string().nullable(), message: z.string().optional() }),
  ),
  at: z.string(),
});
export type SettledLine = z.infer<typeof SettledLine>;

/** The file that the newest header names no longer has this certificate, for example because its row was corrected. */
export const RemovedLine = z.object({ type: z.literal('removed'), id: z.string() });

export const JournalLine = z.discriminatedUnion('type', [
  JournalHeader,
  SentLine,
  SettledLine,
  RemovedLine,
]);
export type JournalLine = z.infer<typeof JournalLine>;

/** A verdict of the registry, which sending again cannot change. */
export function isVerdict(end: End): boolean {
  return end === 'accepted' || end === 'flagged' || end === 'rejected';
}

/** The code that says the most: the first detail code, or the code of the whole answer. */
export function codeOf({ details, errorCode }: SettledLine): string | null {
  return details[0]?.code ?? errorCode;
}
