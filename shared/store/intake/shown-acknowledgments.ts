import { Prisma } from '../../db/generated/client.ts';
import { rowOf, rowsWhere } from '../../db/look-up.ts';
import type { Db } from '../../db/prisma.ts';
import { hideRelated, relatedReferences } from '../../domain/presentation/acknowledge.ts';
import { isVisible } from '../registry/visible-certificates.ts';
import type { TransmissionView, Viewer } from './transmissions.ts';

/** A transmission and its viewer. */
export interface Look {
  readonly view: TransmissionView | undefined;
  readonly viewer: Viewer;
}

/**
 * Hides the references of related records that the viewer may not see now (D23), and returns the transmissions in their order.
 * Runs no query when no acknowledgment names a related record.
 */
export async function showAcknowledgments(
  db: Pick<Db, '$queryRaw'>,
  looks: readonly Look[],
): Promise<(TransmissionView | undefined)[]> {
  const named = looks.flatMap(({ view, viewer }, place) =>
    relatedReferences(view?.acknowledgmentJson ?? null).map((reference) => ({
      place,
      viewer,
      reference,
    })),
  );
  if (named.length === 0) return looks.map(({ view }) => view);
  const visible = await readVisible(db, named);
  return looks.map(({ view }, place) => {
    if (view === undefined || view.acknowledgmentJson === null) return view;
    const seen = visible.filter((one) => one.place === place).map(({ reference }) => reference);
    return { ...view, acknowledgmentJson: hideRelated(view.acknowledgmentJson, new Set(seen)) };
  });
}

/** Those of the references whose records the viewer may see now (D23). Runs no query when there are none. */
export async function findVisibleReferences(
  db: Pick<Db, '$queryRaw'>,
  references: readonly string[],
  viewer: Viewer,
): Promise<Set<string>> {
  if (references.length === 0) return new Set();
  const named = [...new Set(references)].map((reference) => ({ place: 0, viewer, reference }));
  const visible = await readVisible(db, named);
  return new Set(visible.map(({ reference }) => reference));
}

interface NamedRecord {
  /** Returned with each visible reference. */
  readonly place: number;
  readonly viewer: Viewer;
  readonly reference: string;
}

function readVisible(
  db: Pick<Db, '$queryRaw'>,
  named: readonly NamedRecord[],
): Promise<{ place: number; reference: string }[]> {
  const isNamed = Prisma.sql`registry_reference = asked.reference`;
  return db.$queryRaw<{ place: number; reference: string }[]>`
    SELECT asked.place, asked.reference
    FROM unnest(${named.map(({ place }) => place)}::int[], ${named.map(({ reference }) => reference)}::text[],
      ${named.map(({ viewer }) => viewer.organizationId)}::uuid[],
      ${named.map(({ viewer }) => viewer.isRegulator)}::boolean[])
      AS asked (place, reference, organization_id, is_regulator)
    CROSS JOIN ${rowsWhere('certificates', isNamed)} c
    CROSS JOIN ${rowOf('policies', 'c.policy_id')} p
    WHERE ${isVisible(ASKED_BY, { certificate: 'c', policy: 'p' })}`;
}

const ASKED_BY = {
  organizationId: Prisma.sql`asked.organization_id`,
  isRegulator: Prisma.sql`asked.is_regulator`,
};
