import {
  type CallerLimits,
  COMMON_LIMITS,
} from '../../../../shared/contract/machine/access/limits.ts';
import { makeOpenApi } from '../../../../shared/contract/openapi/document.ts';
import { sendSigned, tokenFor } from '../../../env/api/machine-client.ts';
import type { TestAnswer } from '../../../env/api/signed-request.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { changeClient, issueClient } from '../../../env/staff/clients.ts';
import { type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

let stack: Stack;
let admin: StaffBrowser;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
  admin = await signInAs(stack, 'ADMINISTRATOR');
});
afterAll(() => stack.stop());

const limitsIn = ({ status, envelope }: TestAnswer): CallerLimits => {
  expect(status).toBe(200);
  return envelope.data as unknown as CallerLimits;
};

describe('the limits of a caller (D39)', () => {
  it.each(['ppai:transmit', 'vehicles:verify'])(
    'are shown to a client with only the scope %s',
    async (scope) => {
      const client = await issueClient(admin, { scopes: [scope], rateLimitPerMinute: 77 });
      const token = await tokenFor(stack, client);
      const answer = await sendSigned(stack, client, token, { path: '/limits' });
      const { ruleSet, serverTime, resetSeconds, ...others } = limitsIn(answer);
      expect(others).toEqual({
        perMinute: 77,
        remaining: 76,
        ...COMMON_LIMITS,
        registryTimeZone: 'Asia/Manila',
        environment: 'production',
      });
      expect(answer.headers['ratelimit']).toBe(`"client";r=76;t=${resetSeconds}`);
      expect(Math.abs(Date.parse(serverTime) - Date.now())).toBeLessThan(60_000);
      const [active] = await stack.ownerDb.ruleSet.findMany({
        where: { activeFrom: { not: null } },
      });
      expect(ruleSet).toEqual({
        id: active?.id,
        coverageTypes: active?.coverageTypes,
        maxCoverageDays: active?.maxCoverageDays,
        maxVehiclesPerCertificate: active?.maxVehiclesPerCertificate,
        expiringWithinDays: active?.expiringWithinDays,
        flagNoMatch: active?.flagNoMatch,
        flagForReview: active?.flagForReview,
      });
    },
  );

  it('show a changed quota at once, and count the request for them', async () => {
    const client = await issueClient(admin);
    const token = await tokenFor(stack, client);
    const getLimits = async () =>
      limitsIn(await sendSigned(stack, client, token, { path: '/limits' }));
    expect(await getLimits()).toMatchObject({ perMinute: 120, remaining: 119 });
    await changeClient(admin, client.id, {
      rateLimitPerMinute: 500,
      expectedVersion: client.client.version,
    });
    expect(await getLimits()).toMatchObject({ perMinute: 500, remaining: 498 });
  });

  it('are shown only to signed requests', async () => {
    expect((await stack.sendRaw({ target: '/api/v1/limits' })).status).toBe(401);
  });

  it('are in the OpenAPI document if they hold for all callers', () => {
    expect(makeOpenApi()['x-limits']).toEqual({
      bodyBytes: 1_048_576,
      vehicles: 500,
      pageMax: 500,
      waitMaxSeconds: 30,
    });
  });
});
