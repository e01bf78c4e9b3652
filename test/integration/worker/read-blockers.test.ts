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

/** Reads the facts for a new certificate of the vehicle. The returned function reads its blockers later. */
async function readFactsFirst(vehicle: ReturnType<typeof makePlainVehicle>) {
  const { db } = stack.api.context;
  const { id } = await db.organization.findUniqueOrThrow({ where: { code: 'INS-BRAVO' } });
  const submission = readSubmission(makeBody({ vehicles: [vehicle] }));
  const question = {
    submission,
    organizationId: id,
    apiClientId: null,
    neededScope: 'ppai:transmit',
  } as const;
  const moment = { now: new Date(), today: today() };
  const [facts] = await readFacts(db, [question], moment);
  if (facts === undefined) throw new Error('there are no facts');
  const matched = matchVehicles(submission.vehicles, facts.vehicles);
  return () => readBlockers(db, { question, facts, matched, exceptCertificateId: null }, moment);
}

describe('blockers that are read after the facts', () => {
  it('are the covers in force if the facts have not changed', async () => {
    const vehicle = makePlainVehicle();
    expect(await (await readFactsFirst(vehicle))()).toEqual([]);
    await registerOn(stack, 'alpha', { vehicles: [vehicle] });
    const blockers = await (await readFactsFirst(vehicle))();
    expect(new Set(blockers.map(({ insurerName }) => insurerName))).toEqual(
      new Set(['Alpha Insurance']),
    );
  });

  it('fail as a stale read if the vehicle was registered meanwhile', async () => {
    const vehicle = makePlainVehicle();
    const readLater = await readFactsFirst(vehicle);
    await registerOn(stack, 'alpha', { vehicles: [vehicle] });
    await expect(readLater()).rejects.toThrow(StaleRead);
  });

  it('fail as a stale read if the vehicle got another identifier meanwhile', async () => {
    const vehicle = makePlainVehicle();
    const { registryReference } = await registerOn(stack, 'alpha', { vehicles: [vehicle] });
    const readLater = await readFactsFirst(vehicle);
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
    await expect(readLater()).rejects.toThrow(StaleRead);
  });
});
