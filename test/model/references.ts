import { isDeepStrictEqual } from 'node:util';
import type { Acknowledgment } from '../../shared/contract/machine/acknowledgment.ts';

/** The references of the records and transmissions of a sequence. */
export interface References {
  /**
   * Stores the references in an answer to an organization: that of the transmission and of a new record.
   * Throws when a reference was already used for another one.
   */
  learn(organization: string, acknowledgment: Acknowledgment): void;
  /** Throws when an acknowledgment changes, except for `replayed` and records that only some organizations can see. */
  compare(acknowledgment: Acknowledgment): void;
  /** The key of a record; null for null. */
  recordOf(registryReference: string | null): string | null;
  transmissionOf(transmissionReference: string): string;
  registryReference(record: string): string;
  /** The sequence number in a record's reference (D13); greater than all others while the reference is unknown. */
  orderOf(record: string): number;
  transmissionReference(transmission: string): string;
  /** The references of all records. */
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
        throw new Error(`${transmissionReference} belongs to two transmissions`);
      senders.set(transmissionReference, key);
      if (kind !== 'CREATE' || registryReference === null) return;
      if ((keys.get(registryReference) ?? key) !== key)
        throw new Error(`${registryReference} belongs to two records`);
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
