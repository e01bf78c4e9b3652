import type {
  QueueHistory,
  TransmissionSeries,
} from '../../../../shared/contract/staff/views/history.ts';
import { addDays } from '../../../../shared/domain/calendar.ts';
import { makeMovableClock } from '../../../../shared/platform/clock.ts';
import { makeHistoryPass } from '../../../../worker/passes/history.ts';
import { makeBody, today } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { fieldsOf } from '../../../env/staff/lists.ts';
import { type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY = today();
const START = `${DAY}T02:10:00.000Z`;
const clock = makeMovableClock(new Date(START));

let stack: Stack;
let auditor: StaffBrowser;
beforeEach(async () => {
  clock.moveTo(new Date(START));
  stack = await startStack({ clock });
});
afterEach(() => stack.stop());

async function read<Data>(path: string): Promise<Data> {
  const { status, envelope, text } = await auditor.get(path);
  if (status !== 200) throw new Error(text);
  return envelope.data as unknown as Data;
}

const DAYS = `from=${DAY}T00:00:00Z&to=${addDays(DAY, 1)}T00:00:00Z`;
const series = (query = '') =>
  read<TransmissionSeries>(`/admin/v1/transmissions/series?${DAYS}&${query}`);
const history = (query: string) => read<QueueHistory>(`/admin/v1/queue/history?${DAYS}&${query}`);

/** Runs a pass in each of the next minutes. */
async function passMinutes(count: number): Promise<void> {
  const pass = makeHistoryPass({ db: stack.api.context.db, clock });
  for (let minute = 0; minute < count; minute += 1) {
    clock.advance(MINUTE_MS);
    await pass();
  }
}

async function transmitThree(): Promise<void> {
  await stack.transmit('alpha', makeBody());
  await stack.transmit('bravo', makeBody({ issuingInsurerCode: 'INS-BRAVO' }));
  await stack.transmit('alpha', makeBody({ issuingInsurerCode: 'INS-NOBODY' }));
  await stack.stopWorkers();
}

describe('the series of transmissions', () => {
  it('has the last hours at once, and earlier ones when a worker has counted them', async () => {
    await transmitThree();
    auditor = await signInAs(stack, 'AUDITOR');
    const at = `${DAY}T02:00:00.000Z`;
    const counts = [
      { key: 'ACCEPTED', count: 2 },
      { key: 'REJECTED', count: 1 },
    ];
    const whole = { points: [{ at, counts }], isComplete: true };
    expect(await series()).toEqual(whole);

    clock.advance(4 * HOUR_MS);
    auditor = await signInAs(stack, 'AUDITOR');
    expect(await series()).toEqual({ points: [], isComplete: false });
    await passMinutes(4);
    expect(await series()).toEqual(whole);
    expect((await series('by=errorCode')).points).toEqual([
      { at, counts: [{ key: 'VALIDATION_FAILED', count: 1 }] },
    ]);
    expect((await series('by=organization&step=day')).points).toEqual([
      {
        // The day begins in Manila.
        at: `${addDays(DAY, -1)}T16:00:00.000Z`,
        counts: [
          { key: 'INS-ALPHA', count: 2 },
          { key: 'INS-BRAVO', count: 1 },
        ],
      },
    ]);
  });

  it('counts an hour again while transmissions of it are in progress', async () => {
    await stack.stopWorkers();
    const body = makeBody();
    expect((await stack.post('alpha', '/ppai/policies', body, 'respond-async')).status).toBe(202);
    clock.advance(HOUR_MS);
    await passMinutes(1);
    auditor = await signInAs(stack, 'AUDITOR');
    const keys = async () => (await series()).points.map(({ counts }) => counts[0]?.key);
    expect(await keys()).toEqual(['RECEIVED']);
    await stack.addWorker();
    await stack.untilTerminal(body.externalTransactionId);
    await stack.stopWorkers();
    await passMinutes(2);
    expect(await keys()).toEqual(['RECEIVED']);
    clock.advance(HOUR_MS);
    auditor = await signInAs(stack, 'AUDITOR');
    await passMinutes(3);
    expect(await keys()).toEqual(['ACCEPTED']);
  });
});

it('the default is the last week', async () => {
  await transmitThree();
  clock.advance(MINUTE_MS);
  auditor = await signInAs(stack, 'AUDITOR');
  expect(await read('/admin/v1/transmissions/series')).toEqual(await series());
});

describe('the history of the queue', () => {
  it('has one sample a minute, whatever number of workers records it', async () => {
    await stack.stopWorkers();
    const { db } = stack.api.context;
    await db.queueSample.deleteMany();
    await stack.post('alpha', '/ppai/policies', makeBody(), 'respond-async');
    await passMinutes(1);
    clock.advance(MINUTE_MS);
    await Promise.all([1, 2, 3].map(() => makeHistoryPass({ db, clock })()));
    auditor = await signInAs(stack, 'AUDITOR');
    const { points } = await history('step=minute');
    expect(points).toEqual(
      [`${DAY}T02:11:00.000Z`, `${DAY}T02:12:00.000Z`].map((at) => ({
        at,
        depth: 1,
        depthMax: 1,
        oldestSecondsMax: expect.any(Number),
        parkedMax: 0,
        settledPerSecond: 0,
        workersMin: 0,
        feedLagSecondsMax: expect.any(Number),
      })),
    );
    const hours = await history('step=hour');
    expect(hours.points).toMatchObject([{ at: `${DAY}T02:00:00.000Z`, depth: 1 }]);
  });

  it('is deleted after 90 days', async () => {
    await stack.stopWorkers();
    await passMinutes(1);
    const { db } = stack.api.context;
    const [first] = await db.queueSample.findMany();
    clock.advance(90 * 24 * HOUR_MS + 2 * MINUTE_MS);
    await passMinutes(1);
    const left = await db.queueSample.findMany();
    expect(left.map(({ minute }) => minute)).not.toContainEqual(first?.minute);
    expect(left).toHaveLength(1);
  });
});

it.each([
  ['queue/history?from=yesterday', 'from'],
  ['queue/history?from=2026-10-15T00:00:00Z&to=2026-10-14T00:00:00Z', 'to'],
  ['queue/history?from=2026-10-01T00:00:00Z&to=2026-10-15T00:00:00Z&step=minute', 'step'],
  ['transmissions/series?from=2026-01-01T00:00:00Z&to=2026-10-15T00:00:00Z', 'step'],
  [`transmissions/series?${DAYS}&by=colour`, 'by'],
])('%s is VALIDATION_FAILED', async (path, field) => {
  auditor = await signInAs(stack, 'AUDITOR');
  expect(fieldsOf(await auditor.get(`/admin/v1/${path}`))).toEqual([field]);
});
