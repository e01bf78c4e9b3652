import { IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import { makeFinding } from '../../../shared/contract/findings.ts';
import {
  VEHICLE_COVERS_MAX,
  type VEHICLE_ENDPOINTS,
} from '../../../shared/contract/staff/views/vehicles.ts';
import { normalizeIdentifier } from '../../../shared/domain/identifiers.ts';
import { presentOwnedVehicle } from '../../../shared/domain/presentation/present-vehicle.ts';
import { readCriteria } from '../../../shared/domain/search-criteria.ts';
import { readDay } from '../../../shared/store/staff/views/day.ts';
import { listVehicles, requireVehicle } from '../../../shared/store/staff/views/vehicles.ts';
import { emptyOnceNormalized, requireMeaningfulCriteria } from '../criteria.ts';
import { type HandlersOf, ok } from '../route.ts';

export const VEHICLE_HANDLERS: HandlersOf<typeof VEHICLE_ENDPOINTS> = {
  async listVehicles({ db }, { query }) {
    requireMeaningfulCriteria(query, IDENTIFIER_KINDS);
    const identifiers = readCriteria(query)?.identifiers ?? [];
    const anyKind = normalizeIdentifier(query.identifier);
    if (query.identifier !== undefined && anyKind === null)
      throw emptyOnceNormalized(['identifier']);
    if (identifiers.length === 0 && anyKind === null) throw noIdentifier();
    return ok(await listVehicles(db, { identifiers, anyKind, page: query }));
  },

  async readVehicle({ db, keyring, clock, config }, { params }) {
    const vehicle = await requireVehicle(db, keyring, params.vehicleId, VEHICLE_COVERS_MAX);
    return ok(presentOwnedVehicle(vehicle, await readDay(db, config, clock.now())));
  },
};

function noIdentifier(): AppError {
  return new AppError('VALIDATION_FAILED', 'the search names no identifier', {
    details: [makeFinding('REQUIRED', null, 'Name at least one identifier.')],
  });
}
