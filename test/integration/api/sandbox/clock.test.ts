import { addDays } from '../../../../shared/domain/calendar.ts';
import { makeMovableClock } from '../../../../shared/platform/clock.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Sandbox, startSandbox } from '../../../env/api/sandbox.ts';

// Noon in Manila, so that no test runs over midnight.
const NOON = new Date('2026-10-01T04:00:00Z');
const TODAY = '2026-10-01';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: makeMovableClock(NOON) });
});
afterAll(() => sandbox.stop());
afterEach(() => move(0));

const CLOCK = '/sandbox/clock';
const move = (dayOffset: number) => sandbox.post('alpha', CLOCK, { dayOffset });

function makeDatedBody(effectiveDate: string, issuanceDate = effectiveDate) {
  const expirationDate = addDays(effectiveDate, 364);
  return makeBody({ policy: { issuanceDate }, certificate: { effectiveDate, expirationDate } });
}

describe("the sandbox's calendar (D40)", () => {
  it('is the same for all clients, and moving it changes no instant', async () => {
    const moved = { dayOffset: 31, today: '2026-11-01', now: NOON.toISOString() };
    expect((await move(31)).envelope.data).toEqual(moved);
    expect((await sandbox.get('bravo', CLOCK)).envelope.data).toEqual(moved);
    await move(0);
    expect((await sandbox.get('alpha', CLOCK)).envelope.data).toEqual({
      dayOffset: 0,
      today: TODAY,
      now: NOON.toISOString(),
    });
  });

  it.each([3_651, -3_651, 1.5, '1', null])(
    'cannot be moved to a day offset of %j',
    async (dayOffset) => {
      const { status, envelope } = await sandbox.post('alpha', CLOCK, { dayOffset });
      expect([status, envelope.error?.details?.[0]?.field]).toEqual([422, 'dayOffset']);
    },
  );

  it('is not moved by a request with an unknown member', async () => {
    const answer = await sandbox.post('alpha', CLOCK, { dayOffset: 31, today: '2026-11-01' });
    expect(answer.status).toBe(422);
    expect(answer.envelope.error?.details).toMatchObject([
      { code: 'UNKNOWN_FIELD', severity: 'ERROR', field: 'today' },
    ]);
    expect((await sandbox.get('alpha', CLOCK)).envelope.data).toMatchObject({ dayOffset: 0 });
  });

  it('needs the scope ppai:transmit', async () => {
    expect((await sandbox.get('alpha-read-only', CLOCK)).status).toBe(403);
  });

  it('decides when a certificate begins, is about to expire and expires, in records, searches and coverage', async () => {
    const body = makeDatedBody('2026-10-02', TODAY);
    const { acknowledgment } = await sandbox.transmit('alpha', body);
    expect(acknowledgment.coverageStatus).toBe('UPCOMING');
    const record = `/ppai/policies/${acknowledgment.registryReference}`;
    const plate = body.vehicles[0]?.plateNumber ?? '';
    const seen = async () => {
      const search = `/ppai/policies/search?cocNumber=${body.certificate.cocNumber}`;
      const [one, versions, found, coverage] = await Promise.all([
        sandbox.get('alpha', record),
        sandbox.get('alpha', `${record}/versions`),
        sandbox.get('alpha', search),
        sandbox.get('alpha', `/ppai/vehicles/${plate}/coverage`),
      ]);
      const items = (data: unknown) => (data as { items: { coverageStatus: string }[] }).items;
      return [
        one.envelope.data?.['coverageStatus'],
        items(versions.envelope.data)[0]?.coverageStatus,
        items(found.envelope.data)[0]?.coverageStatus,
        coverage.envelope.data?.['covered'],
      ];
    };
    expect(await seen()).toEqual(['UPCOMING', 'UPCOMING', 'UPCOMING', false]);
    await move(1);
    expect(await seen()).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE', true]);
    await move(360);
    expect(await seen()).toEqual(['EXPIRING', 'EXPIRING', 'EXPIRING', true]);
    await move(366);
    expect(await seen()).toEqual(['EXPIRED', 'EXPIRED', 'EXPIRED', false]);
  });

  it('decides the day for validating the next transmission, and the year of its references', async () => {
    const nextYear = '2027-10-01';
    const early = await sandbox.transmit('alpha', makeDatedBody(nextYear));
    expect([early.status, early.errorCode]).toEqual([422, 'VALIDATION_FAILED']);
    await move(365);
    const { status, acknowledgment } = await sandbox.transmit('alpha', makeDatedBody(nextYear));
    expect([status, acknowledgment.coverageStatus]).toEqual([201, 'ACTIVE']);
    expect(acknowledgment.registryReference).toMatch(/^PPAI-2027-/);
    expect(acknowledgment.transmissionReference).toMatch(/^PPAI-TX-2027-/);
    expect(acknowledgment.receivedAt).toBe(NOON.toISOString());
  });

  it('is the day of a dry run', async () => {
    const validate = async () => {
      const path = '/ppai/policies/validation';
      return (await sandbox.post('alpha', path, makeDatedBody('2027-10-01'))).envelope.data;
    };
    expect(await validate()).toMatchObject({ outcome: 'REJECTED', errorCode: 'VALIDATION_FAILED' });
    await move(365);
    expect(await validate()).toMatchObject({ outcome: 'ACCEPTED' });
  });

  it('decides which days are past: a vehicle removed on the moved day was covered the day before', async () => {
    const body = makeDatedBody(TODAY);
    const vehicles = [...body.vehicles, ...makeBody().vehicles];
    const { acknowledgment } = await sandbox.transmit('alpha', { ...body, vehicles });
    const [removed] = vehicles;
    await move(10);
    const amended = await sandbox.post(
      'alpha',
      `/ppai/policies/${acknowledgment.registryReference}/amendments`,
      {
        externalTransactionId: `${body.externalTransactionId}-A`,
        reason: 'Sold',
        changes: { vehicles: { remove: [{ plateNumber: removed?.plateNumber }] } },
      },
    );
    expect(amended.status).toBe(200);
    const coveredOn = async (asOf: string) => {
      const path = `/ppai/vehicles/${removed?.plateNumber}/coverage?asOf=${asOf}`;
      return (await sandbox.get('alpha', path)).envelope.data?.['covered'];
    };
    expect(await coveredOn(addDays(TODAY, 9))).toBe(true);
    expect(await coveredOn(addDays(TODAY, 10))).toBe(false);
  });

  it('does not affect tokens and signatures, which use the real time', async () => {
    await move(3_650);
    expect((await sandbox.get('alpha', CLOCK)).status).toBe(200);
  });
});
