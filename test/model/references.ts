import { isDeepStrictEqual } from 'node:util';
import type { Acknowledgment } from '../../shared/contract/machine/acknowledgment.ts';

/** What the registry called the records and transmissions of one sequence. */
export interface References {
  /**
   * What an organization was answered: the reference of its transmission and, of a new record, the record's.
   * Throws when one of them is another's already.
   */
  learn(organization: string, acknowledgment: Acknowledgment): void;
  /** Throws when the acknowledgment of a transmission isn't always the same but for `replayed` and records that not all may see. */
  compare(acknowledgment: Acknowledgment): void;
  /** The key of a record; null for null. */
  recordOf(registryReference: string | null): string | null;
  transmissionOf(transmissionReference: string): string;
  registryReference(record: string): string;
  /** The sequence of a record's reference (D13); of one whose reference is not known yet, after all others. */
  orderOf(record: string): number;
  transmissionReference(transmission: string): string;
  /** Of every record. */
  readonly all: readonly string[];
}

export function makeReferences(): References {
  const keys = new Map<string, string>();
  const senders = new Map<string, string>();
  const acknowledgments = new Map<string, Acknowledgment>();
  const unknown = (what: string) => `unknown ${what}`;
  const keyOf = (map: ReadonlyMap<string, string>, value: string) =>
    [...map].find(([, key]) => key === value)?.[0] ?? unknown(value);
  return {
    learn: (organization, acknowledgment) => {
      const { transmissionReference, registryReference, kind } = acknowledgment;
      const key = `${organization}/${acknowledgment.externalTransactionId}`;
      if ((senders.get(transmissionReference) ?? key) !== key)
        throw new Error(`${transmissionReference} is of two transmissions`);
      senders.set(transmissionReference, key);
      if (kind !== 'CREATE' || registryReference === null) return;
      if ((keys.get(registryReference) ?? key) !== key)
        throw new Error(`${registryReference} is of two records`);
      keys.set(registryReference, key);
    },
    compare: (shown) => {
      const { transmissionReference } = shown;
      const flags = shown.flags.map((flag) => ({ ...flag, relatedRegistryReference: null }));
      const acknowledgment = { ...shown, flags };
      const earlier = acknowledgments.get(transmissionReference);
      if (earlier === undefined) {
        acknowledgments.set(transmissionReference, { ...acknowledgment, replayed: false });
      } else if (!isDeepStrictEqual({ ...acknowledgment, replayed: false }, earlier)) {
        throw new Error(`the acknowledgment of ${transmissionReference} has changed`);
      }
    },
    recordOf: (reference) =>
      reference === null ? null : (keys.get(reference) ?? unknown(reference)),
    transmissionOf: (reference) => senders.get(reference) ?? unknown(reference),
    registryReference: (record) => keyOf(keys, record),
    orderOf: (record) => {
      const [reference] = [...keys].find(([, key]) => key === record) ?? [];
      return reference === undefined ? Number.MAX_SAFE_INTEGER : Number(reference.split('-')[2]);
    },
    transmissionReference: (transmission) => keyOf(senders, transmission),
    get all() {
      return [...keys.keys()];
    },
  };
}
