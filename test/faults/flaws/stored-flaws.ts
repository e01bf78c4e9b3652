import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../shared/db/prisma.ts';
import { findDoubleCovers } from '../../env/records/double-covers.ts';
import {
  DIFFERS_FROM_ACKNOWLEDGMENT,
  HAS_VERSION_GAPS,
  IS_CANCELLED_WRONGLY,
} from '../../env/records/record-flaws.ts';

const SETTLED_MS_MAX = 40_000;

/** What must not be in the tables, of all that was ever registered in them; empty when they are sound. */
export async function findStoredFlaws(db: Db): Promise<string[]> {
  const queries = [findRepetitions, findRecordFlaws, findUnclaimed, findEffectFlaws];
  const flaws: string[] = [];
  for (const query of queries) flaws.push(...(await query(db)).map(({ flaw }) => flaw));
  return [...flaws, ...(await findDoubleCovers(db))];
}

type Flaws = Promise<{ flaw: string }[]>;

function findRepetitions(db: Db): Flaws {
  return db.$queryRaw`
    SELECT 'recorded twice: ' || external_transaction_id AS flaw FROM transmissions
    GROUP BY organization_id, external_transaction_id HAVING count(*) > 1
    UNION ALL
    SELECT 'registered twice: ' || coc_number FROM certificates GROUP BY policy_id, coc_number HAVING count(*) > 1`;
}

function findRecordFlaws(db: Db): Flaws {
  return db.$queryRaw`
    SELECT 'versions with gaps: ' || c.registry_reference AS flaw FROM certificates c WHERE ${HAS_VERSION_GAPS}
    UNION ALL
    SELECT 'cancelled without a cancellation, or the reverse: ' || c.registry_reference FROM certificates c
    WHERE ${IS_CANCELLED_WRONGLY}
    UNION ALL
    SELECT 'claims of a certificate that is not in force: ' || c.registry_reference FROM certificates c
    WHERE c.lifecycle <> 'CURRENT' AND EXISTS (SELECT FROM coverage_claims k WHERE k.certificate_id = c.id)`;
}

/** Certificates in force that do not claim an identifier of a vehicle for all their days. */
function findUnclaimed(db: Db): Flaws {
  return db.$queryRaw`
    WITH unclaimed AS (
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
    SELECT 'in force without a claim on ' || kind || ' ' || value || ': ' || registry_reference AS flaw
    FROM unclaimed`;
}

/** Transmissions whose effect is not the one that they were told of. */
function findEffectFlaws(db: Db): Flaws {
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
    SELECT 'at odds with its acknowledgment: ' || t.transmission_reference AS flaw
    FROM transmissions t LEFT JOIN certificates c ON c.id = t.certificate_id
    WHERE t.completed_at IS NOT NULL AND ${DIFFERS_FROM_ACKNOWLEDGMENT}
    UNION ALL
    SELECT 'took effect other than once: ' || transmission_reference || ' ' || kind || ' ' || status FROM effects
    WHERE versions <> CASE WHEN kind <> 'CANCEL' AND status IN ('ACCEPTED', 'FLAGGED') THEN 1 ELSE 0 END
      OR cancellations <> CASE WHEN kind = 'CANCEL' AND status IN ('ACCEPTED', 'FLAGGED') THEN 1 ELSE 0 END`;
}

/** Rows in progress, the parked ones apart; words for the first few. */
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
          `${transmissionReference} ${status}, taken ${attempts} times, failed ${failures} times (${lastError})`,
      ),
  };
}

/** Returns when nothing is in progress, or it has lasted too long: the oracle says which. */
export async function untilSettled({ db }: { readonly db: Db }): Promise<void> {
  const endsAt = Date.now() + SETTLED_MS_MAX;
  while ((await findUnsettled(db)).inProgress > 0 && Date.now() < endsAt) await sleep(50);
}
