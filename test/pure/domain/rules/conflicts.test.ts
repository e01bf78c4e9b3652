import {
  checkCertificateNumber,
  checkCoverage,
} from '../../../../shared/domain/rules/conflicts.ts';
import type { Blocker } from '../../../../shared/domain/rules/facts.ts';
import { matchVehicles } from '../../../../shared/domain/rules/matching.ts';
import { makeVehicle } from '../../../env/api/bodies.ts';
import { makeCanonical, makeSubmission } from '../facts-and-submissions.ts';

const one = makeVehicle();
const two = makeVehicle();

function registeredWith(...vehicles: (typeof one)[]) {
  return {
    certificateId: 'certificate',
    registryReference: 'PPAI-2026-000000007',
    lifecycle: 'CURRENT' as const,
    vehicles: makeSubmission({ vehicles }).vehicles,
  };
}

describe('a certificate number that is taken', () => {
  const codes = (vehicles: (typeof one)[]) =>
    checkCertificateNumber(makeSubmission({ vehicles }), { registered: registeredWith(one, two) });

  it('is a duplicate with the same vehicles, in any order and spelling', () => {
    const spelled = { ...one, plateNumber: one.plateNumber?.toLowerCase() ?? null };
    for (const vehicles of [
      [one, two],
      [two, one],
      [two, spelled],
    ]) {
      expect(codes(vehicles)).toEqual([
        {
          level: 3,
          severity: 'ERROR',
          code: 'DUPLICATE_TRANSMISSION',
          field: 'certificate.cocNumber',
          message: expect.stringContaining('PPAI-2026-000000007'),
          registryReference: 'PPAI-2026-000000007',
        },
      ]);
    }
  });

  it('is COC_ALREADY_REGISTERED with more, fewer or other vehicles', () => {
    for (const vehicles of [[one], [one, two, makeVehicle()], [one, makeVehicle()]]) {
      expect(codes(vehicles)).toMatchObject([
        { code: 'COC_ALREADY_REGISTERED', registryReference: 'PPAI-2026-000000007' },
      ]);
    }
  });

  it('of a cancelled record cannot be amended, and the message says so', () => {
    for (const vehicles of [[one], [one, two]]) {
      const messages = (['CURRENT', 'CANCELLED'] as const).map(
        (lifecycle) =>
          checkCertificateNumber(makeSubmission({ vehicles }), {
            registered: { ...registeredWith(one, two), lifecycle },
          })[0]?.message,
      );
      expect(messages[0]).toContain('amend that record');
      expect(messages[1]).toContain('cancelled');
      expect(messages[1]).toContain('another certificate number');
      expect(messages[1]).not.toContain('amend');
    }
  });

  it('is no finding when it is free', () => {
    expect(checkCertificateNumber(makeSubmission(), { registered: null })).toEqual([]);
  });
});

describe('a vehicle that is already covered', () => {
  const blocker = (changes: Partial<Blocker>): Blocker => ({
    kind: 'chassisNumber',
    value: 'CHS1',
    certificateId: 'other certificate',
    insurerName: 'Bravo Insurance',
    expirationDate: '2026-12-31',
    ...changes,
  });
  const { vehicles } = makeSubmission({ vehicles: [one, two] });

  it('has one finding for any number of covered identifiers, with only insurer and date', () => {
    const blockers = [
      blocker({ kind: 'chassisNumber', value: vehicles[1]?.chassisNumber ?? '' }),
      blocker({ kind: 'plateNumber', value: vehicles[1]?.plateNumber ?? '' }),
    ];
    expect(checkCoverage(matchVehicles(vehicles, []), { blockers, registered: null })).toEqual([
      {
        level: 3,
        severity: 'ERROR',
        code: 'VEHICLE_ALREADY_INSURED',
        field: 'vehicles[1].plateNumber',
        message: `Already covered by Bravo Insurance until 2026-12-31. Matched by chassisNumber ${two.chassisNumber} and plateNumber ${two.plateNumber}.`,
      },
    ]);
  });

  it('names the cover that lasts longest', () => {
    const value = vehicles[0]?.plateNumber ?? '';
    const blockers = [
      blocker({ kind: 'plateNumber', value, expirationDate: '2026-07-31' }),
      blocker({ kind: 'plateNumber', value, expirationDate: '2026-09-30' }),
    ];
    const [finding] = checkCoverage(matchVehicles(vehicles, []), { blockers, registered: null });
    expect(finding?.message).toContain('2026-09-30');
  });

  it('names the same insurer each time when two covers end on one day', () => {
    const value = vehicles[0]?.chassisNumber ?? '';
    const both = ['Delta Insurance', 'Bravo Insurance'].map((insurerName) =>
      blocker({ value, insurerName, certificateId: insurerName }),
    );
    for (const blockers of [both, [...both].reverse()]) {
      const [finding] = checkCoverage(matchVehicles(vehicles, []), { blockers, registered: null });
      expect(finding?.message).toContain('Bravo Insurance');
    }
  });

  it('is refused because of any vehicle that its identifiers match, also by a historical identifier (D10)', () => {
    const canonical = makeCanonical('canonical', {
      chassisNumber: vehicles[0]?.chassisNumber ?? '',
      plateNumber: 'OLD123',
    });
    const blockers = [blocker({ kind: 'plateNumber', value: 'OLD123' })];
    const matched = matchVehicles(vehicles, [canonical]);
    // The finding names the sent identifier and not the historical one.
    expect(checkCoverage(matched, { blockers, registered: null })).toMatchObject([
      {
        field: 'vehicles[0].plateNumber',
        message: `Already covered by Bravo Insurance until 2026-12-31. Matched by chassisNumber ${vehicles[0]?.chassisNumber}.`,
      },
    ]);
  });

  it('does not match a value of another kind', () => {
    const blockers = [blocker({ kind: 'engineNumber', value: vehicles[0]?.plateNumber ?? '' })];
    expect(checkCoverage(matchVehicles(vehicles, []), { blockers, registered: null })).toEqual([]);
  });

  it('of a repeated certificate is not blocked by its own registration', () => {
    const blockers = [
      blocker({ value: vehicles[0]?.chassisNumber ?? '', certificateId: 'certificate' }),
    ];
    const registered = registeredWith(one, two);
    expect(checkCoverage(matchVehicles(vehicles, []), { blockers, registered })).toEqual([]);
  });
});
