import type { ValidationResult } from '../../../../shared/contract/machine/transmissions/validation.ts';
import type { Client } from '../../../../shared/contract/staff/clients.ts';
import {
  makeBody,
  makePlainVehicle,
  makeReferenceVehicle,
  makeVehicle,
} from '../../../env/api/bodies.ts';
import { sendSigned, tokenFor } from '../../../env/api/machine-client.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { CLIENTS, issueClient } from '../../../env/staff/clients.ts';
import { signInAs } from '../../../env/staff/staff.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const PATH = '/ppai/policies/validation';

async function dryRun(client: string, body: object): Promise<ValidationResult> {
  const { status, envelope } = await stack.post(client, PATH, body);
  expect([status, envelope.error]).toEqual([200, null]);
  return envelope.data as unknown as ValidationResult;
}
const codesOf = ({ errors, warnings }: ValidationResult) =>
  [...errors, ...warnings].map(({ code }) => code);

describe('a dry run (D38)', () => {
  it('of a valid body is ACCEPTED and names the rule set that it used', async () => {
    const body = makeBody({ vehicles: [makeReferenceVehicle(1)] });
    const result = await dryRun('alpha', body);
    expect(result).toMatchObject({
      outcome: 'ACCEPTED',
      errorCode: null,
      errors: [],
      flags: [],
      referenceMatches: [{ plateNumber: 'NCR1001', result: 'MATCHED' }],
    });
    const [active] = await stack.ownerDb.ruleSet.findMany({ where: { activeFrom: { not: null } } });
    expect(result.ruleSetId).toBe(active?.id);
  });

  it('shows the flags that the transmission would raise', async () => {
    const result = await dryRun('alpha', makeBody({ vehicles: [makeVehicle()] }));
    expect([result.outcome, result.flags.map(({ type }) => type)]).toEqual([
      'FLAGGED',
      ['VEHICLE_MISMATCH'],
    ]);
  });

  it('needs no external transaction id, and does not use up a given one', async () => {
    const { externalTransactionId, ...body } = makeBody();
    expect((await dryRun('alpha', body)).outcome).toBe('ACCEPTED');
    expect((await dryRun('alpha', { ...body, externalTransactionId })).outcome).toBe('ACCEPTED');
    const sent = await stack.transmit('alpha', { ...body, externalTransactionId });
    expect([sent.status, sent.acknowledgment.replayed]).toEqual([201, false]);
  });

  it('finds a vehicle that another certificate covers, although it makes no commit that would be refused', async () => {
    const vehicle = makePlainVehicle();
    await stack.transmit(
      'bravo',
      makeBody({ issuingInsurerCode: 'INS-BRAVO', vehicles: [vehicle] }),
    );
    const result = await dryRun('alpha', makeBody({ vehicles: [vehicle] }));
    expect([result.outcome, result.errorCode]).toEqual(['REJECTED', 'VEHICLE_ALREADY_INSURED']);
    expect(result.errors[0]?.message).toContain('Bravo Insurance');
  });

  it('distinguishes a repeated certificate from one with other vehicles', async () => {
    const body = makeBody();
    await stack.transmit('alpha', body);
    const repeated = await dryRun('alpha', body);
    expect([repeated.outcome, repeated.errorCode]).toEqual(['REJECTED', 'DUPLICATE_TRANSMISSION']);
    const other = await dryRun('alpha', { ...body, vehicles: [makePlainVehicle()] });
    expect([other.outcome, other.errorCode]).toEqual(['REJECTED', 'COC_ALREADY_REGISTERED']);
  });

  it('reports unknown members', async () => {
    const result = await dryRun('alpha', { ...makeBody(), colour: 'red' });
    expect([result.outcome, codesOf(result)]).toEqual([
      'ACCEPTED',
      expect.arrayContaining(['UNKNOWN_FIELD']),
    ]);
  });

  it('of a body that does not match the schema is refused like the transmission', async () => {
    const body = { ...makeBody(), vehicles: 'none' };
    const tried = await stack.post('alpha', PATH, body);
    const sent = await stack.post('alpha', '/ppai/policies', body);
    expect(tried.status).toBe(422);
    expect(tried.envelope.error?.details).toEqual(sent.envelope.error?.details);
    const shortId = await stack.post('alpha', PATH, makeBody({ externalTransactionId: 'short' }));
    expect(shortId.envelope.error?.details).toMatchObject([{ field: 'externalTransactionId' }]);
  });

  it('shows a related record only to an organization that sees it (D23)', async () => {
    const [ours, theirs] = [makePlainVehicle(), makePlainVehicle()];
    const past = { effectiveDate: '2026-01-01', expirationDate: '2026-03-31' };
    const registered = await stack.transmit(
      'alpha',
      makeBody({ vehicles: [ours], certificate: past }),
    );
    const bravo = { issuingInsurerCode: 'INS-BRAVO' };
    await stack.transmit('bravo', makeBody({ ...bravo, vehicles: [theirs], certificate: past }));
    const mixed = [{ ...theirs, plateNumber: ours.plateNumber }];
    const [ofBravo] = (await dryRun('bravo', makeBody({ ...bravo, vehicles: mixed }))).flags;
    expect(ofBravo).toMatchObject({
      type: 'IDENTIFIER_CONFLICT',
      relatedRegistryReference: null,
    });
    const [ofAlpha] = (await dryRun('alpha', makeBody({ vehicles: mixed }))).flags;
    expect(ofAlpha?.relatedRegistryReference).toBe(registered.acknowledgment.registryReference);
  });

  it("reveals nothing about an insurer's certificates to a sender without authority (D28)", async () => {
    const body = makeBody();
    await stack.transmit('alpha', body);
    const result = await dryRun('charlie', body);
    expect(result.outcome).toBe('REJECTED');
    expect(codesOf(result)).toContain('NOT_AUTHORIZED_TO_TRANSMIT');
    expect(codesOf(result)).not.toContain('DUPLICATE_TRANSMISSION');
  });

  it('needs the scope ppai:transmit', async () => {
    const { status, envelope } = await stack.post('verifier', PATH, makeBody());
    expect([status, envelope.error?.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('is counted per client for staff, and per outcome in the metrics', async () => {
    const admin = await signInAs(stack, 'ADMINISTRATOR');
    const client = await issueClient(admin);
    const token = await tokenFor(stack, client);
    const send = () => sendSigned(stack, client, token, { path: PATH, body: makeBody() });
    const shown = async () => {
      const { envelope } = await admin.get(`${CLIENTS}/${client.id}`);
      return (envelope.data as unknown as Client).dryRuns;
    };
    expect(await shown()).toEqual({ count: 0, lastAt: null });
    await send();
    await send();
    await stack.api.context.dryRuns.write();
    expect(await shown()).toEqual({ count: 2, lastAt: expect.any(String) });
    await send();
    await stack.api.context.dryRuns.write();
    await stack.api.context.dryRuns.write();
    expect((await shown()).count).toBe(3);
    const { text } = await stack.getHealth('/metrics');
    expect(text).toMatch(/^registry_dry_runs_total\{outcome="ACCEPTED"\} \d+$/m);
  });
});
