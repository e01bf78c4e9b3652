import type { Verdict } from './judge.ts';
import { INSURERS, isVisible } from './organizations.ts';
import type { Ack, ModelState, ReadStates } from './state.ts';
import type { Match } from './vehicles.ts';

// The record that a flag is related to (D10, D23).

/** Adds to each conflict the latest record, other than `except`, of the first other vehicle that has one. */
export function withRelated(
  { atFacts, orderOf }: Pick<ReadStates, 'atFacts' | 'orderOf'>,
  verdict: Verdict,
  matches: readonly Match[],
  except: string | undefined,
): Verdict {
  const latestOf = (vehicle: number): string[] =>
    atFacts.records
      .filter(
        ({ key, entries }) => key !== except && entries.some((one) => one.canonical === vehicle),
      )
      .map(({ key }) => key)
      .sort((one, other) => orderOf(other) - orderOf(one))
      .slice(0, 1);
  const flags = verdict.flags.map((flag) => {
    const { owners = [], canonical } = matches[flag.index] ?? {};
    const others = owners.filter((owner) => owner !== canonical);
    const [related = null] = flag.type === 'IDENTIFIER_CONFLICT' ? others.flatMap(latestOf) : [];
    return { ...flag, related };
  });
  return { ...verdict, flags };
}

const BESIDE = ' beside ';

export function relatedText(related: string | null): string {
  return related === null ? '' : `${BESIDE}${related}`;
}

/** The acknowledgment that an organization may see. */
export function shownTo(state: ModelState, organization: string, ack: Ack): Ack {
  const flags = ack.flags.map((text) => {
    const [flag = '', related] = text.split(BESIDE);
    return `${flag}${relatedText(visibleOf(state, organization, related ?? null))}`;
  });
  return { ...ack, flags: flags.sort() };
}

/** The related record in a record: all organizations may know its insurer. */
export function relationText(state: ModelState, organization: string, related: string | null) {
  const record = state.records.find(({ key }) => key === related);
  if (record === undefined) return '';
  const name = INSURERS[record.insurer]?.name ?? record.insurer;
  return `${relatedText(visibleOf(state, organization, related))} of ${name}`;
}

function visibleOf(state: ModelState, organization: string, related: string | null) {
  const record = state.records.find(({ key }) => key === related);
  return record !== undefined && isVisible(state, organization, record) ? record.key : null;
}
