import { READ, useProbeApi } from '../../../env/api/probe-api.ts';
import { anyAddress } from '../../../env/api/signed-request.ts';

const { expectRefusal } = useProbeApi();

describe('a missing or malformed header', () => {
  const NONCE = '16 to 64 visible ASCII characters';
  const DIGITS = '64 lowercase hexadecimal digits';
  const SECONDS = 'Unix time in whole seconds';

  it.each<[string, string, string | readonly string[] | undefined, string, string]>([
    ['Authorization', 'is missing', undefined, 'INVALID_TOKEN', 'Bearer'],
    ['Authorization', 'must be', 'Basic YTpi', 'INVALID_TOKEN', 'Bearer'],
    ['X-PPAI-Client-Id', 'is missing', undefined, 'INVALID_TOKEN', 'client'],
    ['X-PPAI-Client-Id', 'must be', 'someone', 'INVALID_TOKEN', 'that the token was issued to'],
    ['X-PPAI-Client-Id', 'was sent 2 times', ['a', 'b'], 'INVALID_TOKEN', 'send it once'],
    ['X-PPAI-Timestamp', 'is missing', undefined, 'TIMESTAMP_OUT_OF_RANGE', SECONDS],
    ['X-PPAI-Timestamp', 'must be', `${Date.now()}`, 'TIMESTAMP_OUT_OF_RANGE', SECONDS],
    ['X-PPAI-Nonce', 'is missing', undefined, 'INVALID_SIGNATURE', NONCE],
    ['X-PPAI-Nonce', 'is missing', '', 'INVALID_SIGNATURE', NONCE],
    ['X-PPAI-Nonce', 'must be', 'short', 'INVALID_SIGNATURE', NONCE],
    ['X-PPAI-Nonce', 'must be', 'x'.repeat(65), 'INVALID_SIGNATURE', NONCE],
    ['X-PPAI-Signature', 'is missing', undefined, 'INVALID_SIGNATURE', DIGITS],
    ['X-PPAI-Signature', 'must be', 'AB'.repeat(32), 'INVALID_SIGNATURE', DIGITS],
  ])('is named in the message: %s %s', async (name, flaw, value, code, rule) => {
    const headers = { [name.toLowerCase()]: value };
    const { envelope } = await expectRefusal('alpha', { ...READ, headers }, 401, code);
    expect(envelope.error?.message).toContain(`The header ${name} ${flaw}`);
    expect(envelope.error?.message).toContain(rule);
  });

  it('is not named if an earlier authentication step fails', async () => {
    const headers = { 'x-ppai-client-id': undefined, 'x-ppai-nonce': undefined };
    const request = { ...READ, token: 'A'.repeat(43), headers };
    const { envelope } = await expectRefusal('alpha', request, 401, 'INVALID_TOKEN');
    expect(envelope.error?.message).not.toContain('header');
  });
});

it('the refusal of an address outside the allowlist names the address that the registry sees', async () => {
  const address = anyAddress();
  const request = { ...READ, headers: { 'x-forwarded-for': `[::ffff:${address}]:80` } };
  const { envelope } = await expectRefusal('alpha-allowlisted', request, 403, 'IP_NOT_ALLOWED');
  expect(envelope.error?.message).toContain(` ${address},`);
});
