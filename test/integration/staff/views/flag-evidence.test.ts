import type { FlagItem } from '../../../../shared/contract/staff/flags.ts';
import type { FlagEvidence } from '../../../../shared/contract/staff/views/flag-evidence.ts';
import { addDays } from '../../../../shared/domain/calendar.ts';
import {
  makePlainVehicle,
  makeReferenceVehicle,
  makeVehicle,
  today,
  uniqueNumber,
} from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { listPage } from '../../../env/staff/lists.ts';
import { personalDataIn, registerAs } from '../../../env/staff/records.ts';
import { outcomeOf, refused, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const DAY = today();
const PAST = { effectiveDate: addDays(DAY, -40), expirationDate: addDays(DAY, -10) };

let stack: Stack;
let reviewer: StaffBrowser;
beforeAll(async () => {
  stack = await startStack();
  reviewer = await signInAs(stack, 'REVIEWER');
});
afterAll(() => stack.stop());

async function flagsOf(registryReference: string): Promise<readonly FlagItem[]> {
  const path = `/admin/v1/flags?registryReference=${registryReference}&order=newest`;
  return (await listPage<FlagItem>(reviewer, path)).items;
}

async function evidenceOf(flag: FlagItem | undefined): Promise<FlagEvidence> {
  const { status, envelope, text } = await reviewer.get(`/admin/v1/flags/${flag?.id}/evidence`);
  if (status !== 200) throw new Error(text);
  expect(personalDataIn(text)).toEqual([]);
  return envelope.data as unknown as FlagEvidence;
}

describe('the evidence of an identifier conflict', () => {
  it('has the record, the vehicle as sent and both matched vehicles with their covers', async () => {
    const [ours, theirs] = [makePlainVehicle(), makePlainVehicle()];
    const related = await registerAs(stack, 'INS-ALPHA', { vehicles: [ours], certificate: PAST });
    const earlier = await registerAs(stack, 'INS-BRAVO', { vehicles: [theirs], certificate: PAST });
    const sent = {
      ...theirs,
      plateNumber: `${ours.plateNumber?.slice(0, 2)}-${ours.plateNumber?.slice(2)}`,
    };
    const { registryReference, body } = await registerAs(stack, 'INS-BRAVO', { vehicles: [sent] });
    const [flag] = await flagsOf(registryReference);
    const evidence = await evidenceOf(flag);

    expect(evidence.flag).toEqual(flag);
    expect(evidence.record).toMatchObject({
      registryReference,
      policyNumber: body.policy.policyNumber,
      operatorName: body.operator.name,
      openFlagCount: 1,
    });
    expect(evidence.vehicle).toMatchObject({
      vehicle: { plateNumber: ours.plateNumber, chassisNumber: theirs.chassisNumber },
      transmitted: { plateNumber: sent.plateNumber },
    });
    const [flagged, other] = evidence.matchedVehicles;
    expect(evidence.matchedVehicles).toHaveLength(2);
    expect(flagged).toMatchObject({
      id: evidence.vehicle?.vehicle.id,
      isFlagged: true,
      shared: ['chassisNumber', 'engineNumber', 'mvFileNumber', 'plateNumber'],
    });
    const references = flagged?.covers.map((cover) => cover.registryReference);
    expect(references).toEqual([registryReference, earlier.registryReference]);
    expect(other).toMatchObject({
      isFlagged: false,
      shared: ['plateNumber'],
      covers: [
        {
          registryReference: related.registryReference,
          coverageStatus: 'EXPIRED',
          operatorName: related.body.operator.name,
        },
      ],
    });
    // CAR has no reference data.
    expect(evidence).toMatchObject({ referenceRegion: null, referenceVehicles: [] });
    expect(evidence.findings).toMatchObject([{ code: 'REFERENCE_DATA_UNAVAILABLE' }]);
    expect(evidence.events).toEqual([]);
  });
});

describe('the evidence of a mismatch', () => {
  it('has the reference vehicles that agree or contradict, and the findings of that vehicle alone', async () => {
    const contradicted = makeReferenceVehicle(51, { chassisNumber: 'CHS1052NCR' });
    const { registryReference } = await registerAs(stack, 'INS-ALPHA', {
      vehicles: [makeReferenceVehicle(53), contradicted],
    });
    const evidence = await evidenceOf((await flagsOf(registryReference))[0]);
    expect(evidence.referenceRegion).toMatchObject({ region: 'NCR', vehicles: expect.any(Number) });
    const compared = evidence.referenceVehicles;
    expect(compared).toMatchObject([
      {
        plateNumber: 'NCR1051',
        agreeing: ['engineNumber', 'mvFileNumber', 'plateNumber'],
        differing: ['chassisNumber'],
      },
      {
        plateNumber: 'NCR1052',
        agreeing: ['chassisNumber'],
        differing: ['engineNumber', 'mvFileNumber', 'plateNumber'],
      },
    ]);
    expect(evidence.findings).toMatchObject([
      {
        level: 4,
        code: 'REFERENCE_FOR_REVIEW',
        field: 'vehicles[1]',
        message: evidence.flag.message,
      },
    ]);
    expect(evidence.matchedVehicles).toMatchObject([{ isFlagged: true, coverCount: 1 }]);
  });

  it('has the findings of the amendment that raised it', async () => {
    const [first, added] = [makeReferenceVehicle(54), makeVehicle()];
    const { registryReference } = await registerAs(stack, 'INS-ALPHA', { vehicles: [first] });
    const amended = await stack.post('alpha', `/ppai/policies/${registryReference}/amendments`, {
      externalTransactionId: uniqueNumber('AMEND'),
      reason: 'Another vehicle',
      changes: { vehicles: { add: [added] } },
    });
    expect(amended.status).toBe(200);
    const evidence = await evidenceOf((await flagsOf(registryReference))[0]);
    expect(evidence.vehicle).toMatchObject({
      vehicle: { plateNumber: added.plateNumber },
      addedInVersion: 2,
    });
    expect(evidence.findings).toMatchObject([
      { code: 'REFERENCE_NO_MATCH', field: 'changes.vehicles.add[0]' },
    ]);
    expect(evidence.referenceVehicles).toEqual([]);
  });

  it('has the acts on the flag, which a reviewer may see without the audit log', async () => {
    const { registryReference } = await registerAs(stack, 'INS-ALPHA', {
      vehicles: [makeVehicle()],
    });
    const [flag] = await flagsOf(registryReference);
    await reviewer.post(`/admin/v1/flags/${flag?.id}/refer`, { notes: 'Check the plate.' });
    expect((await reviewer.get('/admin/v1/audit')).status).toBe(403);
    const { events } = await evidenceOf(flag);
    expect(events).toEqual([
      {
        at: expect.any(String),
        action: 'FLAG_REFERRED',
        actor: { email: reviewer.email, role: 'REVIEWER' },
        status: 'REFERRED_TO_INSURER',
        notes: 'Check the plate.',
      },
    ]);
  });
});

it('an unknown flag is NOT_FOUND', async () => {
  for (const id of ['00000000-0000-4000-8000-000000000000', 'nothing']) {
    const answer = await reviewer.get(`/admin/v1/flags/${id}/evidence`);
    expect(outcomeOf(answer)).toEqual(refused(404, 'NOT_FOUND'));
  }
});
