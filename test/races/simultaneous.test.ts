import type { TransmissionBody, VehicleBody } from '../../shared/contract/machine/transmission.ts';
import { addDays } from '../../shared/domain/calendar.ts';
import { makeBody, makePlainVehicle, today, uniqueNumber } from '../env/api/bodies.ts';
import { type Stack, startStack } from '../env/api/stack.ts';
import { findDoubleCovers } from '../env/records/double-covers.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 2, environment: { TRANSMIT_WAIT_SECONDS: '30' } });
});
afterAll(() => stack.stop());

const DAY = today();
const INSURERS = [
  ['alpha', 'INS-ALPHA'],
  ['bravo', 'INS-BRAVO'],
  ['charlie', 'INS-CHARLIE'],
] as const;

/** Transmits all at once, alternating between three insurers. Returns the answers in the order of the bodies. */
async function transmitAll(bodies: readonly TransmissionBody[]) {
  return Promise.all(
    bodies.map((body, index) => {
      const [client, issuingInsurerCode] = INSURERS[index % 3] ?? INSURERS[0];
      return stack.transmit(client, { ...body, issuingInsurerCode });
    }),
  );
}

/** Counts the outcomes by status or error code. */
function tally(answers: Awaited<ReturnType<typeof transmitAll>>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { errorCode, acknowledgment } of answers) {
    const outcome = errorCode ?? acknowledgment.status;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

const scalar = async (sql: string): Promise<number> => {
  const [row] = await stack.api.context.db.$queryRawUnsafe<{ n: number }[]>(sql);
  return row?.n ?? -1;
};

describe('simultaneous certificates', () => {
  it.each(['plateNumber', 'mvFileNumber', 'engineNumber', 'chassisNumber'] as const)(
    'that share a %s, 30 from three insurers: one is ACCEPTED, 29 are VEHICLE_ALREADY_INSURED',
    async (kind) => {
      const shared = makePlainVehicle()[kind];
      const bodies = Array.from({ length: 30 }, () =>
        makeBody({ vehicles: [makePlainVehicle(), makePlainVehicle({ [kind]: shared })] }),
      );
      const answers = await transmitAll(bodies);
      expect(tally(answers)).toEqual({ ACCEPTED: 1, VEHICLE_ALREADY_INSURED: 29 });
      for (const { errorCode, findings } of answers) {
        if (errorCode === undefined) continue;
        expect(findings.filter(({ severity }) => severity === 'ERROR')).toMatchObject([
          { code: 'VEHICLE_ALREADY_INSURED', field: 'vehicles[1].plateNumber' },
        ]);
      }
    },
  );

  it('that each share a vehicle with the next one never lead to two covers', async () => {
    const vehicles = Array.from({ length: 25 }, () => makePlainVehicle());
    const bodies = vehicles.map((vehicle, index) =>
      makeBody({ vehicles: [vehicle, vehicles[(index + 1) % 25] ?? vehicle] }),
    );
    const outcomes = tally(await transmitAll(bodies));
    expect(Object.keys(outcomes).sort()).toEqual(['ACCEPTED', 'VEHICLE_ALREADY_INSURED']);
    expect(outcomes['ACCEPTED']).toBeGreaterThanOrEqual(8);
    expect(await findDoubleCovers(stack.api.context.db)).toEqual([]);
  });

  it('of one fleet in opposite order, 20 pairs: one of each pair is ACCEPTED', async () => {
    for (let round = 0; round < 20; round += 4) {
      const pairs = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const fleet = Array.from({ length: 200 }, () => makePlainVehicle());
          return transmitAll([
            makeBody({ vehicles: fleet }),
            makeBody({ vehicles: fleet.toReversed() }),
          ]);
        }),
      );
      for (const pair of pairs) {
        expect(tally(pair)).toEqual({ ACCEPTED: 1, VEHICLE_ALREADY_INSURED: 1 });
      }
    }
  }, 90_000);

  it('with one new policy all join the same one', async () => {
    const policyNumber = uniqueNumber('POL');
    const bodies = Array.from({ length: 20 }, () => makeBody({ policy: { policyNumber } }));
    const answers = await Promise.all(bodies.map((body) => stack.transmit('alpha', body)));
    expect(tally(answers)).toEqual({ ACCEPTED: 20 });
    expect(
      await scalar(
        `SELECT count(*)::int AS n FROM policies WHERE policy_number = '${policyNumber}'`,
      ),
    ).toBe(1);
  });

  it('with one certificate number: one is ACCEPTED, the others get COC_ALREADY_REGISTERED', async () => {
    const numbers = {
      policy: { policyNumber: uniqueNumber('POL') },
      certificate: { cocNumber: uniqueNumber('COC') },
    };
    const bodies = Array.from({ length: 15 }, () => makeBody(numbers));
    const answers = await Promise.all(bodies.map((body) => stack.transmit('alpha', body)));
    expect(tally(answers)).toEqual({ ACCEPTED: 1, COC_ALREADY_REGISTERED: 14 });
  });

  it('of one new vehicle in disjoint periods make one canonical vehicle', async () => {
    for (let round = 0; round < 3; round += 1) {
      const vehicle: VehicleBody = makePlainVehicle();
      const bodies = Array.from({ length: 12 }, (_, index) =>
        makeBody({
          vehicles: [vehicle],
          certificate: {
            effectiveDate: addDays(DAY, index * 20),
            expirationDate: addDays(DAY, index * 20 + 19),
          },
        }),
      );
      expect(tally(await transmitAll(bodies))).toEqual({ ACCEPTED: 12 });
      expect(
        await scalar(
          `SELECT count(*)::int AS n FROM vehicles WHERE chassis_number = '${vehicle.chassisNumber}'`,
        ),
      ).toBe(1);
    }
  });

  it('and amendments that add the same vehicle: only one covers it', async () => {
    const records = await Promise.all(
      Array.from({ length: 6 }, () => stack.transmit('alpha', makeBody())),
    );
    const vehicle = makePlainVehicle();
    const statuses = await Promise.all([
      ...records.map(async ({ acknowledgment }) => {
        const path = `/ppai/policies/${acknowledgment.registryReference}/amendments`;
        const answer = await stack.post('alpha', path, {
          externalTransactionId: uniqueNumber('AMEND'),
          reason: 'One more',
          changes: { vehicles: { add: [vehicle] } },
        });
        return answer.status === 200;
      }),
      ...Array.from({ length: 6 }, async () => {
        const body = makeBody({ vehicles: [vehicle] });
        return (await stack.transmit('alpha', body)).status === 201;
      }),
    ]);
    expect(statuses.filter((hasIt) => hasIt)).toHaveLength(1);
  });

  it('with a policy that an amendment changes, for the vehicle that it adds: all get a verdict', async () => {
    const rounds = Array.from({ length: 10 }, async () => {
      const vehicle = makePlainVehicle();
      const first = makeBody();
      const { acknowledgment } = await stack.transmit('alpha', first);
      const [amended, registered] = await Promise.all([
        stack.post('alpha', `/ppai/policies/${acknowledgment.registryReference}/amendments`, {
          externalTransactionId: uniqueNumber('AMEND'),
          reason: 'Another remark, another vehicle',
          changes: { policy: { remarks: 'changed' }, vehicles: { add: [vehicle] } },
        }),
        stack.transmit('alpha', makeBody({ policy: first.policy, vehicles: [vehicle] })),
      ]);
      // The first one covers the vehicle; the details of a shared policy cannot change.
      return [amended.status, registered.status].join();
    });
    for (const outcome of await Promise.all(rounds))
      expect(['200,422', '422,201']).toContain(outcome);
  });

  it('leave no two covers, no failure and no deadlock behind', async () => {
    expect(await findDoubleCovers(stack.api.context.db)).toEqual([]);
    expect(await scalar('SELECT coalesce(sum(failures), 0)::int AS n FROM transmissions')).toBe(0);
    expect(await stack.countDeadlocks()).toBe(0);
  });
});
