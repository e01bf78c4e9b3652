import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../shared/db/prisma.ts';
import { findDoubleCovers } from '../../env/records/double-covers.ts';
import {
  DIFFERS_FROM_ACKNOWLEDGMENT,
  HAS_VERSION_GAPS,
  HAS_WRONG_CANCELLATION,
} from '../../env/records/record-inconsistencies.ts';

const SETTLED_MS_MAX = 40_000;

/** Violated invariants of all rows in the tables. */
export async function findStoredProblems(db: Db): Promise<string[]> {
  const queries = [findRepetitions, findRecordProblems, findUnreserved, findEffectProblems];
  const problems: string[] = [];
  for (const query of queries) problems.push(...(await query(db)).map(({ problem }) => problem));
  return [...problems, ...(await findDoubleCovers(db))];
}

type Problems = Promise<{ problem: string }[]>;

function findRepetitions(db: Db): Problems {
  return db.$queryRaw`
    SELECT 'recorded twice: ' || external_transaction_id AS problem FROM transmissions
    GROUP BY organization_id, external_transaction_id HAVING count(*) > 1
    UNION ALL
    SELECT 'registered twice: ' || coc_number FROM certificates GROUP BY policy_id, coc_number HAVING count(*) > 1`;
}

function findRecordProblems(db: Db): Problems {
  return db.$queryRaw`
    SELECT 'versions with gaps: ' || c.registry_reference AS problem FROM certificates c WHERE ${HAS_VERSION_GAPS}
    UNION ALL
    SELECT 'cancelled without a cancellation, or the reverse: ' || c.registry_reference FROM certificates c
    WHERE ${HAS_WRONG_CANCELLATION}
    UNION ALL
    SELECT 'reservations of a certificate that is not in force: ' || c.registry_reference FROM certificates c
    WHERE c.lifecycle <> 'CURRENT' AND EXISTS (SELECT FROM coverage_claims k WHERE k.certificate_id = c.id)`;
}

/** Certificates in force that have not reserved an identifier of a vehicle for all their days. */
function findUnreserved(db: Db): Problems {
  return db.$queryRaw`
    WITH unreserved AS (
      SELECT c.id, c.registry_reference, daterange(c.effective_date, c.expiration_date, '[]') AS during,
        v.vehicle_id, r.kind, r.value
      FROM certificates c
      JOIN certificate_vehicles v ON v.certificate_id = c.id AND v.removed_in_version IS NULL,
        LATERAL (VALUES
          ('plateNumber', v.registered->>'plateNumber'), ('mvFileNumber', v.registered->>'mvFileNumber'),
          ('engineNumber', v.registered->>'engineNumber'), ('chassisNumber', v.registered->>'chassisNumber')
        ) AS r (kind, value)
      WHERE c.lifecycle = 'CURRENT' AND r.value IS NOT NULL
      EXCEPT
      SELECT c.id, c.registry_reference, k.during, i.vehicle_id, i.kind, i.value
      FROM coverage_claims k
      JOIN certificates c ON c.id = k.certificate_id
      JOIN vehicle_identifiers i ON i.key = k.key
    )
    SELECT 'in force without a reservation of ' || kind || ' ' || value || ': ' || registry_reference AS problem
    FROM unreserved`;
}

/** Transmissions whose effect differs from their acknowledgment. */
function findEffectProblems(db: Db): Problems {
  return db.$queryRaw`
    WITH effects AS MATERIALIZED (
      SELECT t.id, t.transmission_reference, t.kind, t.status,
        coalesce(v.count, 0) AS versions, coalesce(c.count, 0) AS cancellations
      FROM transmissions t
      LEFT JOIN (SELECT transmission_id, count(*) FROM certificate_versions GROUP BY transmission_id) v
        ON v.transmission_id = t.id
      LEFT JOIN (SELECT transmission_id, count(*) FROM cancellations GROUP BY transmission_id) c
        ON c.transmission_id = t.id
    )
    SELECT 'at odds with its acknowledgment: ' || t.transmission_reference AS problem
    FROM transmissions t LEFT JOIN certificates c ON c.id = t.certificate_id
    WHERE t.completed_at IS NOT NULL AND ${DIFFERS_FROM_ACKNOWLEDGMENT}
    UNION ALL
    SELECT 'took effect other than once: ' || transmission_reference || ' ' || kind || ' ' || status FROM effects
    WHERE versions <> CASE WHEN kind <> 'CANCEL' AND status IN ('ACCEPTED', 'FLAGGED') THEN 1 ELSE 0 END
      OR cancellations <> CASE WHEN kind = 'CANCEL' AND status IN ('ACCEPTED', 'FLAGGED') THEN 1 ELSE 0 END`;
}

/** Counts rows in progress and parked rows, and describes a few of them. */
export async function findUnsettled(
  db: Db,
): Promise<{ inProgress: number; parked: number; examples: string[] }> {
  const rows = await db.transmission.findMany({
    where: { completedAt: null },
    select: {
      transmissionReference: true,
      status: true,
      attempts: true,
      failures: true,
      lastError: true,
      parkedAt: true,
    },
  });
  const parked = rows.filter(({ parkedAt }) => parkedAt !== null);
  return {
    inProgress: rows.length - parked.length,
    parked: parked.length,
    examples: rows
      .slice(0, 3)
      .map(
        ({ transmissionReference, status, attempts, failures, lastError }) =>
          `${transmissionReference} ${status}, claimed ${attempts} times, failed ${failures} times (${lastError})`,
      ),
  };
}

/** Returns when nothing is in progress, or after SETTLED_MS_MAX. The oracle decides whether that is a problem. */
export async function untilSettled({ db }: { readonly db: Db }): Promise<void> {
  const endsAt = Date.now() + SETTLED_MS_MAX;
  while ((await findUnsettled(db)).inProgress > 0 && Date.now() < endsAt) await sleep(50);
}
