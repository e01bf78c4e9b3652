import type { TerminalStatus } from '../../../contract/enums.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { Acknowledgment } from '../../../contract/machine/acknowledgment.ts';
import type { Tx } from '../../../db/prisma.ts';

/** The terminal state of a transmission. Only the worker that holds the fence may write it. */
export interface FinishedTransmission {
  readonly id: string;
  /** The fencing token of this worker's claim. */
  readonly fence: number;
  readonly status: TerminalStatus;
  /** Stored as JSON text, and served as it is stored. */
  readonly acknowledgment: Acknowledgment;
  readonly errorCode: ErrorCode | null;
  readonly certificateId: string | null;
  readonly completedAt: Date;
}

/** Writes the terminal states. The column type `json` keeps the text of an acknowledgment; `jsonb` would not. */
export async function finishTransmissions(
  tx: Tx,
  transmissions: readonly FinishedTransmission[],
): Promise<void> {
  await tx.$executeRaw`
    UPDATE transmissions t SET status = row.status, acknowledgment = row.acknowledgment,
      error_code = row."errorCode", certificate_id = row."certificateId",
      completed_at = row."completedAt", last_error = NULL
    FROM json_to_recordset(${JSON.stringify(transmissions)}::json) AS row (id uuid, status text,
      acknowledgment json, "errorCode" text, "certificateId" uuid, "completedAt" timestamptz)
    -- The array makes the planner look up each row by the primary key.
    WHERE t.id = ANY(${transmissions.map(({ id }) => id)}::uuid[]) AND t.id = row.id`;
}
