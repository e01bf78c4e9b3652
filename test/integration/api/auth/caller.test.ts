import { CONFIG_VARIABLES } from '../../../../shared/platform/config/config-variables.ts';
import { startTestApi } from '../../../env/api/api-env.ts';
import { nowSeconds, OTHER_SIGNATURE, READ, useProbeApi } from '../../../env/api/probe-api.ts';
import { newNonce } from '../../../env/api/signed-request.ts';

const { probe, api, expectRefusal } = useProbeApi();

describe('a signed request', () => {
  it('reaches its handler with the identity of the sender', async () => {
    const answer = await api().send('alpha', READ);
    expect(answer.status).toBe(200);
    expect(answer.envelope).toEqual({ success: true, data: { reached: true }, error: null });
    const [call] = probe.seen();
    expect(call).toMatchObject({
      name: 'readTransmission',
      params: { transmissionReferenceOrExternalId: 'PPAI-TX-2026-000000001' },
      submitter: {
        clientId: api().client('alpha').clientId,
        clientName: 'alpha',
        organizationCode: 'INS-ALPHA',
        organizationType: 'INSURANCE_COMPANY',
        organizationStatus: 'ACTIVE',
        rateLimitPerMinute: 600_000,
      },
    });
  });

  it('passes authentication while its organization is suspended, because level 3 refuses it', async () => {
    expect((await api().send('dormant', READ)).status).toBe(200);
    expect(probe.seen()[0]).toMatchObject({ submitter: { organizationStatus: 'SUSPENDED' } });
  });

  it('is verified over the target exactly as sent, with escapes, order and case of the query', async () => {
    const path = '/ppai/policies/search?policyNumber=A%2fb%20c+d&page=1&plateNumber=';
    expect((await api().send('alpha', { path })).status).toBe(200);
    probe.seen();
    await expectRefusal(
      'alpha',
      { path, signed: { target: `/api/v1${path.replace('%2f', '%2F')}` } },
      401,
      'INVALID_SIGNATURE',
    );
  });

  it('is verified over the exact bytes of the body', async () => {
    const body =
      '{ "externalTransactionId":"GATE-0002","policy":{},"certificate":{},"operator":{"name":"Ñ"},"vehicles":[] }\n';
    expect((await api().send('alpha', { path: '/ppai/policies', body })).status).toBe(200);
    probe.seen();
    await expectRefusal(
      'alpha',
      { path: '/ppai/policies', body, signed: { body: Buffer.from(body.trim()) } },
      401,
      'INVALID_SIGNATURE',
    );
  });
});

describe('the token step', () => {
  it.each([
    ['no Authorization header', undefined],
    ['an empty Authorization header', ''],
    ['another scheme', 'Basic YTpi'],
    ['no token', 'Bearer '],
    ['a malformed token', 'Bearer nope'],
    ['an unknown token', `Bearer ${'A'.repeat(43)}`],
    ['a token and something more', `Bearer ${'A'.repeat(43)} x`],
  ])('answers %s with INVALID_TOKEN', async (_what, authorization) => {
    const answer = await expectRefusal(
      'alpha',
      { ...READ, headers: { authorization } },
      401,
      'INVALID_TOKEN',
    );
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('refuses an expired token', async () => {
    const token = await api().tokenOf('verifier');
    await api().api.context.db.$executeRaw`
      UPDATE access_tokens SET expires_at = now() FROM api_clients c
      WHERE c.id = api_client_id AND c.client_id = ${api().client('verifier').clientId}`;
    await expectRefusal('verifier', { ...READ, token }, 401, 'INVALID_TOKEN');
  });

  it('refuses the token of another client', async () => {
    const token = await api().tokenOf('bravo');
    await expectRefusal('alpha', { ...READ, token }, 401, 'INVALID_TOKEN');
  });

  it.each([
    ['no client id', undefined],
    ['another client id', 'someone'],
    ['an empty client id', ''],
  ])('answers %s with INVALID_TOKEN', async (_what, clientId) => {
    await expectRefusal(
      'alpha',
      { ...READ, headers: { 'x-ppai-client-id': clientId } },
      401,
      'INVALID_TOKEN',
    );
  });
});

describe('headers sent twice', () => {
  it.each([
    ['x-ppai-client-id', 'INVALID_TOKEN'],
    ['x-ppai-timestamp', 'TIMESTAMP_OUT_OF_RANGE'],
    ['x-ppai-nonce', 'INVALID_SIGNATURE'],
    ['x-ppai-signature', 'INVALID_SIGNATURE'],
  ])('are refused: %s', async (name, code) => {
    const value = {
      'x-ppai-client-id': api().client('alpha').clientId,
      'x-ppai-timestamp': String(nowSeconds()),
      'x-ppai-nonce': newNonce(),
      'x-ppai-signature': OTHER_SIGNATURE,
    }[name];
    await expectRefusal(
      'alpha',
      { ...READ, headers: { [name]: [value ?? '', value ?? ''] } },
      401,
      code,
    );
  });
});

describe('the client step', () => {
  it('refuses a client as soon as it is suspended, and admits it as soon as it is active again', async () => {
    const setStatus = (status: string) =>
      api().api.context.db
        .$executeRaw`UPDATE api_clients SET status = ${status} WHERE client_id = ${api().client('charlie').clientId}`;
    expect((await api().send('charlie', READ)).status).toBe(200);
    probe.seen();
    await setStatus('SUSPENDED');
    await expectRefusal('charlie', READ, 403, 'FORBIDDEN');
    await setStatus('ACTIVE');
    expect((await api().send('charlie', READ)).status).toBe(200);
  });
});

describe('the allowlist step', () => {
  const from = (forwarded: string | undefined) => ({
    ...READ,
    headers: { 'x-forwarded-for': forwarded },
  });

  it('admits only listed addresses', async () => {
    expect((await api().send('alpha-allowlisted', from('203.0.113.77'))).status).toBe(200);
    probe.seen();
    await expectRefusal('alpha-allowlisted', from('203.0.114.1'), 403, 'IP_NOT_ALLOWED');
    await expectRefusal('alpha-allowlisted', from(undefined), 403, 'IP_NOT_ALLOWED');
  });

  it('uses only the address that the trusted proxy appended', async () => {
    await expectRefusal(
      'alpha-allowlisted',
      from('203.0.113.77, 198.51.100.9'),
      403,
      'IP_NOT_ALLOWED',
    );
  });

  it('reads addresses to which proxies append a port', async () => {
    for (const forwarded of ['203.0.113.5:40312', '198.51.100.9, 203.0.113.5:40312']) {
      expect((await api().send('alpha-allowlisted', from(forwarded))).status).toBe(200);
    }
    probe.seen();
    await expectRefusal('alpha-allowlisted', from('198.51.100.9:80'), 403, 'IP_NOT_ALLOWED');
  });

  it.each(['not an address', 'unknown', '203.0.113.77, _hidden', '203.0.113.999', '[::1'])(
    'refuses a request for which the proxy reports %p, with or without an allowlist',
    async (forwarded) => {
      for (const client of ['alpha-allowlisted', 'alpha']) {
        const { envelope } = await expectRefusal(client, from(forwarded), 403, 'IP_NOT_ALLOWED');
        expect(envelope.error?.message).toContain('X-Forwarded-For');
      }
    },
  );

  it('recognizes an IPv4 address written as IPv6', async () => {
    expect((await api().send('alpha-allowlisted', from('::ffff:203.0.113.5'))).status).toBe(200);
  });

  it('ignores X-Forwarded-For if no proxy is trusted', async () => {
    const strict = await startTestApi({
      handlers: probe.handlers,
      environment: { TRUSTED_PROXIES: CONFIG_VARIABLES.TRUSTED_PROXIES.default },
    });
    expect((await strict.send('alpha', from('203.0.113.77'))).status).toBe(200);
    await strict.api.context.db.$executeRaw`
      UPDATE api_clients SET ip_allowlist = '{203.0.113.0/24}' WHERE name = 'alpha'`;
    const answer = await strict.send('alpha', from('203.0.113.77'));
    await strict.stop();
    expect(answer.envelope.error?.code).toBe('IP_NOT_ALLOWED');
  });
});
