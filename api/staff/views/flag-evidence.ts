import { FlagType } from '../../../shared/contract/enums.ts';
import type { RecordVehicle } from '../../../shared/contract/machine/record.ts';
import type { FlagItem } from '../../../shared/contract/staff/flags.ts';
import {
  type FLAG_EVIDENCE_ENDPOINTS,
  type FlagEvidence,
  MATCHED_COVERS_MAX,
  MATCHED_VEHICLES_MAX,
} from '../../../shared/contract/staff/views/flag-evidence.ts';
import { presentIdentifiers } from '../../../shared/domain/identifiers.ts';
import {
  compareReference,
  compareVehicle,
  findingsAbout,
} from '../../../shared/domain/presentation/present-evidence.ts';
import { presentVehicle } from '../../../shared/domain/presentation/present-history.ts';
import { type Day, presentSummary } from '../../../shared/domain/presentation/present-summary.ts';
import { findReferenceVehicles } from '../../../shared/store/reference/reference-vehicles.ts';
import { readSummaries } from '../../../shared/store/registry/search-records.ts';
import { requireFlag } from '../../../shared/store/staff/flags/read-flags.ts';
import { readDay } from '../../../shared/store/staff/views/day.ts';
import * as store from '../../../shared/store/staff/views/flag-evidence.ts';
import { readVehicles } from '../../../shared/store/staff/views/vehicles.ts';
import type { ApiContext } from '../../context.ts';
import { type HandlersOf, ok } from '../route.ts';

export const FLAG_EVIDENCE_HANDLERS: HandlersOf<typeof FLAG_EVIDENCE_ENDPOINTS> = {
  async readFlagEvidence(context, { params: { flagId } }) {
    const { db, keyring, clock, config } = context;
    const now = clock.now();
    const flag = await requireFlag(db, keyring, flagId, now);
    const day = await readDay(db, config, now);
    const [record] = await readSummaries(db, keyring, [flag.certificateId]);
    if (record === undefined) throw new Error('the record of a flag is missing');
    const flagged = await store.findFlaggedVehicle(db, flag.id);
    const vehicle = flagged === undefined ? null : presentVehicle(flagged);
    const verdict = await store.findVerdictOf(db, flag.id);
    return ok({
      flag,
      record: presentSummary(record, day),
      vehicle,
      matchedVehicles: await readMatched(context, flag, vehicle, day),
      referenceRegion: (await store.findReferenceRegion(db, flag.region)) ?? null,
      referenceVehicles: await readCompared(context, vehicle),
      findings: verdict === undefined ? [] : findingsAbout(verdict, flag.plateNumber),
      events: await store.listFlagEvents(db, flag.id),
    } satisfies FlagEvidence);
  },
};

/** The vehicles that the flag names as matches, and its own. */
async function readMatched(
  { db, keyring }: ApiContext,
  flag: FlagItem,
  flagged: RecordVehicle | null,
  day: Day,
): Promise<FlagEvidence['matchedVehicles']> {
  const ids = [...(flagged === null ? [] : [flagged.vehicle.id]), ...matchedIdsOf(flag)];
  const asked = [...new Set(ids)].slice(0, MATCHED_VEHICLES_MAX);
  const vehicles = await readVehicles(db, keyring, asked, MATCHED_COVERS_MAX);
  return vehicles.map((one) => compareVehicle(one, flagged?.vehicle ?? null, day));
}

/** `details` of an IDENTIFIER_CONFLICT, as `raiseFlags` writes them. */
function matchedIdsOf({ type, details }: FlagItem): string[] {
  const ids = details['matchedVehicleIds'];
  const isConflict = type === FlagType.enum.IDENTIFIER_CONFLICT && Array.isArray(ids);
  return isConflict ? ids.filter((id) => typeof id === 'string') : [];
}

async function readCompared(
  { db }: ApiContext,
  flagged: RecordVehicle | null,
): Promise<FlagEvidence['referenceVehicles']> {
  if (flagged === null) return [];
  const found = await findReferenceVehicles(db, presentIdentifiers(flagged.vehicle));
  return found.map((one) => compareReference(one, flagged.vehicle));
}
