import { joinedInPieces, type TextInPieces } from '../../../db/text-in-pieces.ts';
import { keepSnapshot } from '../../../domain/amendment/snapshot.ts';
import type { CertificateVehicleRow, VersionRow } from '../../../domain/registration/writes.ts';

/**
 * What is registered of the vehicles that certificates get, as JSON texts. It stands in the rows of the vehicles and, of most
 * certificates, in the snapshot of their first version as well: it is the most of both, and is written once.
 */
export class RegisteredVehicles {
  /** Of one certificate after the other, in the order of the rows. */
  readonly #texts: string[] = [];
  /** Of the certificates whose vehicles all came as they are registered. */
  readonly #asSent = new Map<string, { readonly text: string; readonly vehicles: number }>();

  constructor(rows: readonly CertificateVehicleRow[]) {
    let begin = 0;
    for (const [at, { certificateId }] of rows.entries()) {
      if (rows[at + 1]?.certificateId === certificateId) continue;
      this.#add(certificateId, rows.slice(begin, at + 1));
      begin = at + 1;
    }
  }

  #add(certificateId: string, rows: readonly CertificateVehicleRow[]): void {
    const text = JSON.stringify(rows.map(registeredOf));
    this.#texts.push(text);
    if (rows.every(isAsSent)) this.#asSent.set(certificateId, { text, vehicles: rows.length });
  }

  /** A JSON array with an element for each row. */
  column(): string | TextInPieces {
    return joinedInPieces(this.#texts);
  }

  /** The snapshot as it is kept. */
  snapshotJson({ certificateId, version, snapshot }: VersionRow): string {
    const { vehicles, ...others } = snapshot;
    const asSent = this.#asSent.get(certificateId);
    const isWhole = version === 1 && asSent?.vehicles === vehicles.length;
    if (!isWhole) return JSON.stringify(keepSnapshot(snapshot));
    return `${JSON.stringify(others).slice(0, -1)},"vehicles":${asSent.text}}`;
  }
}

function registeredOf({ registered }: CertificateVehicleRow): CertificateVehicleRow['registered'] {
  return registered;
}

function isAsSent({ transmitted }: CertificateVehicleRow): boolean {
  return transmitted === null;
}
