import type { Db } from '../../db/prisma.ts';

/** A claimed transmission whose processing failed because of a fault of the service. */
export interface Failure {
  readonly id: string;
  readonly fence: number;
  /** For staff, without personal data and secrets. */
  readonly reason: string;
  /** Undefined parks the transmission: it stays in progress until staff send it again. */
  readonly retryInSeconds: number | undefined;
}

/** Releases a transmission for a retry after a fault of the service, which never rejects it (D2). */
export async function releaseForRetry(
  db: Db,
  { id, fence, reason, retryInSeconds }: Failure,
): Promise<void> {
  await db.$executeRaw`
    UPDATE transmissions SET
      failures = failures + 1,
      last_error = ${reason},
      due_at = now() + make_interval(secs => ${retryInSeconds ?? 0}),
      sweep_at = now() + make_interval(secs => ${retryInSeconds ?? 0}),
      parked_at = CASE WHEN ${retryInSeconds === undefined} THEN now() END
    WHERE id = ${id}::uuid AND fence = ${fence} AND status = 'VALIDATING'`;
}
