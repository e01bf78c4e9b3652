import { isTerminal, TRANSMISSION_STATUSES } from '../../../shared/contract/enums.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import type { BatchStatus } from '../../../shared/contract/machine/transmissions/batch.ts';
import { type BatchGroup, readBatchGroups } from '../../../shared/store/own-transmissions/batch.ts';
import type { ApiContext } from '../../context.ts';
import type { Answer } from '../../http/respond.ts';
import { secondsUntilDone } from '../../throttle/backlog-limit.ts';
import type { MachineRequest } from '../request.ts';

/** D35. @throws {AppError} NOT_FOUND for a name that the caller's organization has not used */
export async function readBatch(
  context: ApiContext,
  { params: { batch }, submitter }: MachineRequest<'readBatch'>,
): Promise<Answer> {
  const groups = await readBatchGroups(context.db, submitter.organizationId, batch);
  const [firstReceivedAt] = groups.map((group) => group.firstReceivedAt).sort(byTime);
  if (firstReceivedAt === undefined) throw new AppError('NOT_FOUND', 'no such batch');
  const completedAt = groups.flatMap((group) => group.lastCompletedAt ?? []).sort(byTime);
  const estimate = isInProgress(groups)
    ? await estimateCompletion(context, submitter.organizationId)
    : undefined;
  const data: BatchStatus = {
    batch,
    total: sumOf(groups),
    byStatus: countByStatus(groups),
    byErrorCode: countByErrorCode(groups),
    firstReceivedAt: firstReceivedAt.toISOString(),
    lastCompletedAt: completedAt.at(-1)?.toISOString() ?? null,
    estimatedCompletionAt: estimate?.toISOString() ?? null,
  };
  return { status: 200, data };
}

function byTime(one: Date, other: Date): number {
  return one.getTime() - other.getTime();
}

/** Whether a worker will still process some of the batch. Parked transmissions wait for staff. */
function isInProgress(groups: readonly BatchGroup[]): boolean {
  return groups.some(
    ({ status, transmissions, parked }) => !isTerminal(status) && transmissions > parked,
  );
}

/** Undefined when the workers do nothing, so that no time can be given. */
async function estimateCompletion(
  context: ApiContext,
  organizationId: string,
): Promise<Date | undefined> {
  const seconds = await secondsUntilDone(context, organizationId);
  if (!Number.isFinite(seconds)) return undefined;
  return new Date(context.clock.now().getTime() + Math.ceil(seconds) * 1_000);
}

function sumOf(groups: readonly BatchGroup[]): number {
  return groups.reduce((sum, { transmissions }) => sum + transmissions, 0);
}

function countByStatus(groups: readonly BatchGroup[]): BatchStatus['byStatus'] {
  const counts = TRANSMISSION_STATUSES.map((status) => [
    status,
    sumOf(groups.filter((group) => group.status === status)),
  ]);
  return Object.fromEntries(counts) as BatchStatus['byStatus'];
}

function countByErrorCode(groups: readonly BatchGroup[]): BatchStatus['byErrorCode'] {
  return Object.fromEntries(
    groups.flatMap(({ errorCode, transmissions }) =>
      errorCode === null ? [] : [[errorCode, transmissions]],
    ),
  );
}
