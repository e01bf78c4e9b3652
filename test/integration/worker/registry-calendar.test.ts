import { makeMovableClock } from '../../../shared/platform/clock.ts';
import { type BodyChanges, makeBody } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';

// One minute before 2027 begins in Manila; in UTC it is the afternoon of 31 December 2026.
const clock = makeMovableClock(new Date('2026-12-31T15:59:00Z'));

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ clock });
});
afterAll(() => stack.stop());

async function transmit(changes: BodyChanges) {
  return stack.transmit(
    'alpha',
    makeBody({
      policy: { issuanceDate: '2026-12-01', ...changes.policy },
      certificate: {
        effectiveDate: '2027-01-01',
        expirationDate: '2027-12-31',
        ...changes.certificate,
      },
    }),
  );
}

describe('today in the time zone of the registry, whatever that of the server (D8),', () => {
  it('is in the old year before midnight: for references, date rules and coverage status', async () => {
    const { acknowledgment } = await transmit({});
    expect(acknowledgment.transmissionReference).toMatch(/^PPAI-TX-2026-/);
    expect(acknowledgment.registryReference).toMatch(/^PPAI-2026-/);
    expect(acknowledgment.coverageStatus).toBe('UPCOMING');
    expect(acknowledgment.receivedAt).toBe('2026-12-31T15:59:00.000Z');
    expect((await transmit({ policy: { issuanceDate: '2027-01-01' } })).status).toBe(201);
    expect((await transmit({ policy: { issuanceDate: '2027-01-02' } })).status).toBe(422);
  });

  it('is in the new year after midnight', async () => {
    clock.advance(60_000);
    const { acknowledgment } = await transmit({});
    expect(acknowledgment.transmissionReference).toMatch(/^PPAI-TX-2027-/);
    expect(acknowledgment.registryReference).toMatch(/^PPAI-2027-/);
    expect(acknowledgment.coverageStatus).toBe('ACTIVE');
    expect((await transmit({ policy: { issuanceDate: '2027-01-02' } })).status).toBe(201);
    expect((await transmit({ policy: { issuanceDate: '2027-01-03' } })).status).toBe(422);
  });

  it('does not change the coverage status of an earlier acknowledgment (D12)', async () => {
    const certificate = { effectiveDate: '2026-12-01', expirationDate: '2027-01-31' };
    const { acknowledgment } = await transmit({ certificate });
    expect(acknowledgment.coverageStatus).toBe('EXPIRING');
    clock.advance(60_000);
    const path = `/ppai/transmissions/${acknowledgment.transmissionReference}`;
    expect((await stack.get('alpha', path)).envelope.data).toEqual(acknowledgment);
  });
});
