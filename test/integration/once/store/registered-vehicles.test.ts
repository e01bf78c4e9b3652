import { readSnapshot } from '../../../../shared/domain/amendment/snapshot.ts';
import { keptForm, sentOtherwise } from '../../../../shared/domain/registration/plan-vehicles.ts';
import type { Submission } from '../../../../shared/domain/registration/submission.ts';
import type {
  CertificateVehicleRow,
  VersionRow,
} from '../../../../shared/domain/registration/writes.ts';
import { RegisteredVehicles } from '../../../../shared/store/registry/commit/registered-vehicles.ts';
import { makePlainVehicle } from '../../../env/api/bodies.ts';
import { makeSubmission } from '../../../pure/domain/facts-and-submissions.ts';

function rowsOf(certificateId: string, { vehicles }: Submission): CertificateVehicleRow[] {
  return vehicles.map((vehicle, ordinal) => ({
    certificateId,
    ordinal,
    vehicleId: `${certificateId} ${ordinal}`,
    registered: keptForm(vehicle),
    transmitted: sentOtherwise(vehicle),
    referenceMatch: 'MATCH',
    addedInVersion: 1,
  }));
}

function versionOf(certificateId: string, snapshot: Submission, version = 1): VersionRow {
  return { certificateId, version, transmissionId: 'sent', createdAt: new Date(0), snapshot };
}

function readBack(json: string): Submission {
  return readSnapshot(JSON.parse(json) as Parameters<typeof readSnapshot>[0]);
}

function textOf(column: ReturnType<RegisteredVehicles['column']>): string {
  return typeof column === 'string' ? column : column.toPostgres();
}

const plain = makeSubmission({ vehicles: [makePlainVehicle(), makePlainVehicle({ make: null })] });
const renamed = makeSubmission({
  vehicles: [makePlainVehicle(), { ...makePlainVehicle(), plateNumber: 'abc 1234' }],
});
const single = makeSubmission({ vehicles: [makePlainVehicle({ route: 'a "quoted" \\ one, ñ' })] });
const longer = { ...plain, vehicles: [...plain.vehicles, ...single.vehicles] };

describe('what is registered of vehicles', () => {
  const rows = [...rowsOf('a', plain), ...rowsOf('b', renamed), ...rowsOf('c', single)];
  const registered = new RegisteredVehicles(rows);

  it('stands in the order of the rows, whatever certificates they are of', () => {
    const expected = JSON.parse(JSON.stringify(rows.map((row) => row.registered))) as object;
    expect(JSON.parse(textOf(registered.column()))).toEqual(expected);
  });

  it('is nothing where there are no rows', () => {
    expect(textOf(new RegisteredVehicles([]).column())).toBe('[]');
  });

  it.each([
    ['that came as it is registered', 'a', plain],
    ['that came otherwise, which is kept', 'b', renamed],
    ['that is the last', 'c', single],
    ['of which no row is written', 'd', plain],
    ['of which fewer rows are written than it has', 'a', longer],
  ])('stands in the snapshot of a certificate %s', (_, certificateId, snapshot) => {
    const version = versionOf(certificateId, snapshot);
    expect(readBack(registered.snapshotJson(version))).toEqual(snapshot);
  });

  it('is not taken for a later version, whose rows are those that it adds', () => {
    const snapshot = { ...plain, vehicles: [...single.vehicles, ...renamed.vehicles.slice(0, 1)] };
    expect(readBack(registered.snapshotJson(versionOf('a', snapshot, 2)))).toEqual(snapshot);
  });
});
