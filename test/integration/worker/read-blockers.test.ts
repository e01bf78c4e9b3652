import { readSubmission } from '../../../shared/domain/registration/submission.ts';
import { matchVehicles } from '../../../shared/domain/rules/matching.ts';
import { StaleRead } from '../../../shared/store/registry/commit/read-set.ts';
import { readBlockers } from '../../../shared/store/registry/facts/read-blockers.ts';
import { readFacts } from '../../../shared/store/registry/facts/read-facts.ts';
import { makeBody, makePlainVehicle, today } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { registerOn } from './registered-certificate.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

/** What another insurer's certificate of the vehicle would be judged against, as of now. */
async function readFirst(vehicle: ReturnType<typeof makePlainVehicle>) {
  const { db } = stack.api.context;
  const { id } = await db.organization.findUniqueOrThrow({ where: { code: 'INS-BRAVO' } });
  const submission = readSubmission(makeBody({ vehicles: [vehicle] }));
  const asked = {
    submission,
    organizationId: id,
    apiClientId: null,
    neededScope: 'ppai:transmit',
  } as const;
  const moment = { now: new Date(), today: today() };
  const [facts] = await readFacts(db, [asked], moment);
  if (facts === undefined) throw new Error('there are no facts');
  const matched = matchVehicles(submission.vehicles, facts.vehicles);
  return () =>
    readBlockers(db, { question: asked, facts, matched, exceptCertificateId: null }, moment);
}

describe('covers that are read after the facts', () => {
  it('are those that are in force while the facts are the same', async () => {
    const vehicle = makePlainVehicle();
    expect(await (await readFirst(vehicle))()).toEqual([]);
    await registerOn(stack, 'alpha', { vehicles: [vehicle] });
    const blockers = await (await readFirst(vehicle))();
    expect(new Set(blockers.map(({ insurerName }) => insurerName))).toEqual(
      new Set(['Alpha Insurance']),
    );
  });

  it('are refused when the vehicle has got an owner of its names meanwhile', async () => {
    const vehicle = makePlainVehicle();
    const readThen = await readFirst(vehicle);
    await registerOn(stack, 'alpha', { vehicles: [vehicle] });
    await expect(readThen()).rejects.toThrow(StaleRead);
  });

  it('are refused when its vehicle has come to another name meanwhile', async () => {
    const vehicle = makePlainVehicle();
    const { registryReference } = await registerOn(stack, 'alpha', { vehicles: [vehicle] });
    const readThen = await readFirst(vehicle);
    const { status } = await stack.post('alpha', `/ppai/policies/${registryReference}/amendments`, {
      externalTransactionId: `${registryReference}-A`,
      reason: 'New plate',
      changes: {
        vehicles: {
          update: [
            {
              match: { chassisNumber: vehicle.chassisNumber },
              set: { plateNumber: makePlainVehicle().plateNumber },
            },
          ],
        },
      },
    });
    expect(status).toBe(200);
    await expect(readThen()).rejects.toThrow(StaleRead);
  });
});
