import { identifierText, presentIdentifiers } from './identifiers.ts';
import type { Submission } from './submission.ts';

/**
 * Splits a batch into groups that may be registered together: within one no two submissions share an
 * identifier or a certificate number. The order of receipt is kept among those that do.
 */
export function independentGroups<Item>(
  items: readonly Item[],
  submissionOf: (item: Item) => Submission,
): Item[][] {
  if (items.length === 1) return [[...items]];
  const groups: { readonly marks: Set<string>; readonly items: Item[] }[] = [];
  for (const item of items) {
    const marks = marksOf(submissionOf(item));
    const lastShared = groups.findLastIndex((group) => marks.some((mark) => group.marks.has(mark)));
    const group = groups[lastShared + 1] ?? { marks: new Set<string>(), items: [] };
    if (group.items.length === 0) groups.push(group);
    for (const mark of marks) group.marks.add(mark);
    group.items.push(item);
  }
  return groups.map((group) => group.items);
}

function marksOf({ issuingInsurerCode, policy, certificate, vehicles }: Submission): string[] {
  const marks = [JSON.stringify([issuingInsurerCode, policy.policyNumber, certificate.cocNumber])];
  for (const vehicle of vehicles) {
    for (const identifier of presentIdentifiers(vehicle)) marks.push(identifierText(identifier));
  }
  return marks;
}

/** Up to this part of the largest share of a batch is small. */
const SMALL_SHARE = 1 / 4;

/**
 * Splits a batch in two where some organizations have little in it and another has much: the little comes first and
 * does not wait for the much. Organizations with like shares stay together; the order of receipt is kept in each part.
 */
export function smallShareFirst<
  Item extends { readonly organizationId: string; readonly work: number },
>(items: readonly Item[]): Item[][] {
  const shares = new Map<string, number>();
  for (const { organizationId, work } of items) {
    shares.set(organizationId, (shares.get(organizationId) ?? 0) + work);
  }
  const small = Math.max(...shares.values()) * SMALL_SHARE;
  const isSmall = ({ organizationId }: Item) => (shares.get(organizationId) ?? 0) <= small;
  const parts = [items.filter(isSmall), items.filter((item) => !isSmall(item))];
  return parts.filter((part) => part.length > 0);
}
