import { sign } from '../../../../shared/contract/machine/signing.ts';
import { makeClientSecrets, rotateClientSecrets } from '../../../../shared/store/access/clients.ts';
import {
  nowSeconds,
  OTHER_SIGNATURE,
  READ,
  TRANSMIT,
  useProbeApi,
} from '../../../env/api/probe-api.ts';
import { newNonce } from '../../../env/api/signed-request.ts';

const { probe, api, expectRefusal } = useProbeApi();

describe('the timestamp step', () => {
  it.each([[-299], [299]])('accepts a timestamp %i s from the clock', async (seconds) => {
    expect((await api().send('alpha', { ...READ, timestamp: nowSeconds() + seconds })).status).toBe(
      200,
    );
  });

  it.each([[-302], [302]])('refuses a timestamp %i s from the clock', async (seconds) => {
    await expectRefusal(
      'alpha',
      { ...READ, timestamp: nowSeconds() + seconds },
      401,
      'TIMESTAMP_OUT_OF_RANGE',
    );
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['no number', 'now'],
    ['in milliseconds', `${Date.now()}`],
    ['with a fraction', `${nowSeconds()}.5`],
    ['signed', `+${nowSeconds()}`],
    ['in hex', '0x69'],
  ])('refuses a timestamp that is %s', async (_what, timestamp) => {
    await expectRefusal(
      'alpha',
      { ...READ, headers: { 'x-ppai-timestamp': timestamp } },
      401,
      'TIMESTAMP_OUT_OF_RANGE',
    );
  });
});

describe('the signature step', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['of another key', OTHER_SIGNATURE],
    ['too short', 'ab'],
    ['no hex', 'zz'.repeat(32)],
  ])('refuses a signature that is %s', async (_what, signature) => {
    await expectRefusal(
      'alpha',
      { ...READ, headers: { 'x-ppai-signature': signature } },
      401,
      'INVALID_SIGNATURE',
    );
  });

  it.each([
    ['missing', undefined],
    ['too short', 'short'],
    ['too long', 'n'.repeat(65)],
    ['with a space', 'nonce nonce nonce nonce'],
  ])('refuses a nonce that is %s', async (_what, nonce) => {
    await expectRefusal(
      'alpha',
      { ...READ, headers: { 'x-ppai-nonce': nonce } },
      401,
      'INVALID_SIGNATURE',
    );
  });

  it('refuses a signature in upper case', async () => {
    const signed = { ...READ, nonce: newNonce(), timestamp: nowSeconds() };
    const signature = sign(api().client('alpha').signingSecret, {
      method: 'GET',
      target: `/api/v1${READ.path}`,
      timestamp: String(signed.timestamp),
      nonce: signed.nonce,
      body: Buffer.alloc(0),
    });
    await expectRefusal(
      'alpha',
      { ...signed, headers: { 'x-ppai-signature': signature.toUpperCase() } },
      401,
      'INVALID_SIGNATURE',
    );
    expect(
      (await api().send('alpha', { ...signed, headers: { 'x-ppai-signature': signature } })).status,
    ).toBe(200);
  });

  it('accepts every valid signing secret, and no expired one', async () => {
    const { db, keyring, config } = api().api.context;
    const { clientId, signingSecret } = api().client('mgt-one');
    const { id: apiClientId } = await db.apiClient.findUniqueOrThrow({ where: { clientId } });
    const secrets = makeClientSecrets();
    const keys = { keyring, pepper: config.clientSecretPepper[0] };
    await db.$transaction((tx) =>
      rotateClientSecrets(
        tx,
        { apiClientId, clientId, overlapUntil: new Date(Date.now() + 60_000) },
        secrets,
        keys,
      ),
    );
    for (const secret of [signingSecret, secrets.signingSecret]) {
      expect((await api().send('mgt-one', { ...READ, signed: { secret } })).status).toBe(200);
    }
    probe.seen();
    await db.clientSecret.updateMany({
      where: { apiClientId, version: 1 },
      data: { expiresAt: new Date() },
    });
    await expectRefusal('mgt-one', READ, 401, 'INVALID_SIGNATURE');
    expect(
      (await api().send('mgt-one', { ...READ, signed: { secret: secrets.signingSecret } })).status,
    ).toBe(200);
  });
});

describe('the nonce step', () => {
  it('refuses a nonce that the client used before, in any request', async () => {
    const nonce = newNonce();
    expect((await api().send('alpha', { ...READ, nonce })).status).toBe(200);
    probe.seen();
    await expectRefusal('alpha', { ...READ, nonce }, 401, 'NONCE_REUSED');
    await expectRefusal('alpha', { ...TRANSMIT, nonce }, 401, 'NONCE_REUSED');
    expect((await api().send('bravo', { ...READ, nonce })).status).toBe(200);
  });

  it('is not reached with a wrong signature, so that others cannot use up a nonce', async () => {
    const nonce = newNonce();
    await expectRefusal(
      'alpha',
      { ...READ, nonce, headers: { 'x-ppai-signature': OTHER_SIGNATURE } },
      401,
      'INVALID_SIGNATURE',
    );
    expect((await api().send('alpha', { ...READ, nonce })).status).toBe(200);
  });
});
