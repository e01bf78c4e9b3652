import type { RecordFlagState } from '../../../../shared/domain/amendment/record.ts';
import { makePlainVehicle } from '../../../env/api/bodies.ts';
import {
  makeCanonical,
  makeFacts,
  makeReference,
  makeSubmission,
} from '../facts-and-submissions.ts';
import {
  amend,
  canonical,
  codesOf,
  RECORD,
  renamed,
  submission,
  vehicle,
} from './changed-record.ts';

describe('an amendment (D14)', () => {
  it('does not update canonical vehicles that it does not change, because later certificates may have updated them (D10)', () => {
    expect(amend(renamed).writes.vehicles).toEqual([]);
    const update = (set: object) =>
      amend({ changes: { vehicles: { update: [{ match: { plateNumber: 'AAA111' }, set }] } } });
    expect(update({ plateNumber: 'BBB222' }).writes.vehicles).toMatchObject([
      { id: 'a', isNew: false, isRenamed: true, plateNumber: 'BBB222' },
    ]);
    expect(update({ make: 'Hino' }).writes.vehicles).toMatchObject([
      { id: 'a', isNew: false, isRenamed: false, make: 'Hino' },
    ]);
  });

  it('that replaces all identifiers of a vehicle removes it and adds another one, for which it reserves all identifiers', () => {
    const [stays] = makeSubmission({
      vehicles: [makePlainVehicle({ plateNumber: 'CCC333' })],
    }).vehicles;
    const second = makeCanonical('b', stays ?? {});
    const withTwo = {
      submission: { ...submission, vehicles: [...submission.vehicles, ...(stays ? [stays] : [])] },
      places: [...RECORD.places, { ordinal: 1, vehicleId: 'b' }],
      nextOrdinal: 2,
    };
    const other = makeCanonical('other', {
      plateNumber: 'BBB222',
      mvFileNumber: '9902',
      engineNumber: 'ENG2',
      chassisNumber: 'CHS2',
    });
    const set = {
      plateNumber: 'BBB222',
      mvFileNumber: '9902',
      engineNumber: 'ENG2',
      chassisNumber: 'CHS2',
    };
    const { acknowledgment, changes, writes } = amend(
      {
        changes: {
          vehicles: {
            update: [{ match: { plateNumber: 'AAA111' }, set }],
            add: [makePlainVehicle({ plateNumber: 'DDD444' })],
          },
        },
      },
      {
        ...withTwo,
        flags: [{ id: 'old', type: 'VEHICLE_MISMATCH', status: 'OPEN', vehicleId: 'a' }],
      },
      { vehicles: [canonical, second, other] },
    );
    expect(changes).toMatchObject({
      removedOrdinals: [0],
      changedVehicles: [{ ordinal: 1, vehicleId: 'b' }],
      resolvedFlagIds: ['old'],
      amendment: {
        diff: [
          { path: expect.stringMatching(/^vehicles\[CHS2\]$/), after: { plateNumber: 'BBB222' } },
          { after: { plateNumber: 'DDD444' } },
          { path: `vehicles[${vehicle?.chassisNumber}]`, before: { plateNumber: 'AAA111' } },
        ],
      },
    });
    expect(writes.certificateVehicles).toMatchObject([
      { ordinal: 2, vehicleId: 'other', addedInVersion: 3 },
      { ordinal: 3, addedInVersion: 3 },
    ]);
    const names = writes.reservations.map(({ value }) => value);
    expect(names.sort()).toEqual(Object.values(set).sort());
    // The snapshot lists vehicles in the order of their ordinals.
    const plates = ['CCC333', 'BBB222', 'DDD444'];
    expect(acknowledgment.plateNumbers).toEqual(plates);
    expect(writes.versions[0]?.snapshot.vehicles.map(({ plateNumber }) => plateNumber)).toEqual(
      plates,
    );
  });

  it('is checked for double cover only if it changes the dates or the vehicles', () => {
    // Since then another vehicle got the plate, which is covered on a day of this certificate.
    const other = makeCanonical('other', { plateNumber: 'AAA111', chassisNumber: 'CHS2' });
    const blocker = {
      kind: 'chassisNumber' as const,
      value: 'CHS2',
      certificateId: 'another',
      insurerName: 'Bravo',
      expirationDate: '2027-01-31',
    };
    const facts = { vehicles: [canonical, other], blockers: [blocker] };
    expect(codesOf(amend(renamed, {}, facts))).toEqual([]);
    for (const changes of [
      { certificate: { insurerVerificationReference: 'V-1', expirationDate: '2027-02-01' } },
      {
        vehicles: {
          update: [{ match: { plateNumber: 'AAA111' }, set: { engineNumber: 'ENG9' } }],
        },
      },
    ]) {
      expect(codesOf(amend({ changes }, {}, facts))).toEqual(['VEHICLE_ALREADY_INSURED']);
    }
    const ofOld = { ...blocker, kind: 'plateNumber' as const, value: 'AAA111' };
    const set = { engineNumber: 'ENG9' };
    const update = { vehicles: { update: [{ match: { plateNumber: 'AAA111' }, set }] } };
    const outcome = amend({ changes: update }, {}, { blockers: [ofOld] });
    expect(codesOf(outcome)).toEqual([]);
  });

  describe('and the pending flags of its record (D29)', () => {
    const flag = (id: string, changes: Partial<RecordFlagState> = {}): RecordFlagState => ({
      id,
      status: 'OPEN',
      type: 'VEHICLE_MISMATCH',
      vehicleId: 'a',
      ...changes,
    });
    const flags = [
      flag('open'),
      flag('referred', { status: 'REFERRED_TO_INSURER' }),
      flag('done', { status: 'CLEARED' }),
      flag('of none', { vehicleId: null }),
    ];
    const [registered] = submission.vehicles;
    const inRegion = (region: string) => ({
      submission: { ...submission, vehicles: registered ? [{ ...registered, region }] : [] },
      flags,
    });
    const resolvedBy = (...args: Parameters<typeof amend>) =>
      amend(...args).changes?.resolvedFlagIds;
    const whole = registered && makeReference('1', registered);
    const partial = registered && makeReference('1', { ...registered, plateNumber: 'OTHER1' });
    const referenced = (one: typeof whole) => ({
      referenceVehicles: one === undefined ? [] : [one],
    });

    it('resolves a mismatch that a new verdict does not raise', () => {
      for (const reference of [whole, partial])
        expect(resolvedBy(renamed, inRegion('NCR'), referenced(reference))).toEqual([
          'open',
          'referred',
        ]);
    });

    it('keeps a mismatch that the rule set merely stopped raising', () => {
      const { ruleSet } = makeFacts();
      const silent = { ruleSet: { ...ruleSet, flagNoMatch: false, flagForReview: false } };
      expect(resolvedBy(renamed, inRegion('NCR'), silent)).toEqual([]);
      const match = { plateNumber: 'AAA111' };
      const changes = { vehicles: { update: [{ match, set: { make: 'Hino' } }] } };
      expect(resolvedBy({ changes }, inRegion('NCR'), silent)).toEqual([]);
    });

    it('keeps a mismatch whose vehicle moved to a region without reference data', () => {
      const match = { plateNumber: 'AAA111' };
      const changes = { vehicles: { update: [{ match, set: { region: 'CAR' } }] } };
      expect(resolvedBy({ changes }, inRegion('NCR'), referenced(whole))).toEqual([]);
      const again = {
        vehicles: { remove: [match], add: [makePlainVehicle({ ...registered?.transmitted })] },
      };
      expect(resolvedBy({ changes: again }, inRegion('NCR'))).toEqual([]);
    });

    it('resolves every flag of a vehicle that leaves the record', () => {
      const changes = {
        vehicles: { remove: [{ plateNumber: 'AAA111' }], add: [makePlainVehicle()] },
      };
      const all = [...flags, flag('old', { type: 'OVERLAPPING_COVERAGE' })];
      expect(resolvedBy({ changes }, { flags: all })).toEqual(['open', 'referred', 'old']);
    });

    it('resolves an identifier conflict only according to the registry', () => {
      const conflict = { flags: [flag('conflict', { type: 'IDENTIFIER_CONFLICT' })] };
      const other = makeCanonical('other', { plateNumber: 'AAA111', chassisNumber: 'CHS2' });
      expect(resolvedBy(renamed, conflict, { vehicles: [canonical, other] })).toEqual([]);
      expect(resolvedBy(renamed, conflict)).toEqual(['conflict']);
    });

    it('keeps flags of types that are no longer raised', () => {
      const historical = (['POSSIBLE_DUPLICATE', 'OVERLAPPING_COVERAGE'] as const).map((type) =>
        flag(type, { type }),
      );
      expect(resolvedBy(renamed, { flags: historical })).toEqual([]);
    });

    it('does not resolve a flag that is raised again', () => {
      const again = {
        ...inRegion('NCR'),
        flags: [flag('done', { status: 'CLEARED' }), flag('again')],
      };
      const { verdict, changes, writes } = amend(renamed, again);
      expect(verdict.status).toBe('FLAGGED');
      expect([changes?.resolvedFlagIds, writes.flags]).toEqual([[], []]);
      const cleared = { ...inRegion('NCR'), flags: [flag('done', { status: 'CLEARED' })] };
      expect(amend(renamed, cleared).verdict.status).toBe('ACCEPTED');
    });
  });
});
