import type { RuleSetTrial, TriedTransmission } from '../../contract/staff/rules.ts';
import { groupBy } from '../group-by.ts';

type Totals = Pick<RuleSetTrial, 'byCode' | 'byOrganization'>;

/** The changes of a trial by code and by transmitting organization, the most frequent first. */
export function totalsOf(changed: readonly TriedTransmission[]): Totals {
  // A verdict names each code at most once as added and once as removed.
  const differences = changed.flatMap((one) => one.differences);
  const byCode = groupBy(differences, ({ change, kind, code }) => `${change} ${kind} ${code}`);
  const byOrganization = groupBy(changed, ({ transmittingOrg }) => transmittingOrg.id);
  return {
    byCode: [...byCode.values()]
      .flatMap(([first, ...others]) => {
        if (first === undefined) return [];
        const { change, kind, code } = first;
        return { change, kind, code, transmissions: others.length + 1 };
      })
      .sort(byCount),
    byOrganization: [...byOrganization.values()]
      .flatMap(([first, ...others]) => {
        if (first === undefined) return [];
        return { organization: first.transmittingOrg, transmissions: others.length + 1 };
      })
      .sort(byCount),
  };
}

interface Counted {
  readonly transmissions: number;
}

function byCount(one: Counted, other: Counted): number {
  return other.transmissions - one.transmissions;
}
