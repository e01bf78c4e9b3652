import type { OutcomeScenario, Scenario } from '../../contract/machine/sandbox/scenario.ts';
import type { Db } from '../../db/prisma.ts';

// The scenarios that travel with transmissions of the sandbox (D40).

export type RecordedScenario = Extract<Scenario, { kind: 'OUTCOME' | 'HOLD' }>;

/** Recorded before the transmission, so that no worker claims it without its scenario. */
export async function recordScenario(
  db: Db,
  transmissionId: string,
  scenario: RecordedScenario,
): Promise<void> {
  await db.sandboxScenario.create({
    data:
      scenario.kind === 'OUTCOME'
        ? { transmissionId, outcome: scenario.outcome }
        : { transmissionId, holdSeconds: scenario.seconds },
  });
}

/** For a transmission that was not recorded after all. */
export async function deleteScenario(db: Db, transmissionId: string): Promise<void> {
  await db.sandboxScenario.deleteMany({ where: { transmissionId } });
}

/** The outcomes that were asked for, by the id of the transmission. */
export async function readOutcomes(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OutcomeScenario>> {
  const rows = await db.sandboxScenario.findMany({
    where: { transmissionId: { in: [...ids] }, outcome: { not: null } },
  });
  return new Map(rows.map((row) => [row.transmissionId, row.outcome as OutcomeScenario]));
}

/**
 * Keeps claimed transmissions in progress until the time that their senders asked for is over; then the sweeper finds them.
 * Returns the ids of those that have to wait.
 */
export async function holdTransmissions(
  db: Db,
  claimed: readonly { readonly id: string; readonly fence: number }[],
): Promise<ReadonlySet<string>> {
  const held = await db.$queryRaw<{ id: string }[]>`
    UPDATE transmissions t SET
      due_at = t.recorded_at + make_interval(secs => s.hold_seconds),
      sweep_at = t.recorded_at + make_interval(secs => s.hold_seconds)
    FROM sandbox_scenarios s
    JOIN unnest(${claimed.map(({ id }) => id)}::uuid[], ${claimed.map(({ fence }) => fence)}::int[])
      AS one (id, fence) ON one.id = s.transmission_id
    WHERE t.id = one.id AND t.fence = one.fence AND t.status = 'VALIDATING'
      AND t.recorded_at + make_interval(secs => s.hold_seconds) > now()
    RETURNING t.id::text`;
  return new Set(held.map(({ id }) => id));
}
