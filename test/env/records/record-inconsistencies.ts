import { Prisma } from '../../../shared/db/generated/client.ts';

/** A certificate `c` lacks versions or amendments, or its last version is not the current one. */
export const HAS_VERSION_GAPS = Prisma.sql`(
  (SELECT array_agg(version ORDER BY version) FROM certificate_versions WHERE certificate_id = c.id)
    IS DISTINCT FROM (SELECT array_agg(n) FROM generate_series(1, c.current_version) AS n)
  OR (SELECT coalesce(array_agg(to_version ORDER BY to_version), '{}') FROM amendments WHERE certificate_id = c.id)
    IS DISTINCT FROM (SELECT coalesce(array_agg(n), '{}') FROM generate_series(2, c.current_version) AS n)
  OR EXISTS (SELECT FROM certificate_versions v
    WHERE v.certificate_id = c.id AND (v.superseded_at IS NULL) <> (v.version = c.current_version)))`;

/** A certificate `c` is cancelled without a cancellation, or has one and is not cancelled. */
export const HAS_WRONG_CANCELLATION = Prisma.sql`(
  (c.lifecycle = 'CANCELLED') <> EXISTS (SELECT FROM cancellations x WHERE x.certificate_id = c.id))`;

/** A transmission `t`, or its certificate `c`, differs from the acknowledgment. */
export const DIFFERS_FROM_ACKNOWLEDGMENT = Prisma.sql`(
  t.acknowledgment->>'status' IS DISTINCT FROM t.status
  OR t.acknowledgment->>'registryReference' IS DISTINCT FROM c.registry_reference
  OR (t.status = 'REJECTED') <> (t.certificate_id IS NULL)
  OR (t.status = 'REJECTED') <> (t.error_code IS NOT NULL))`;
