import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { successEnvelope } from '../../../shared/contract/machine/envelope.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import { VALIDATION_EXAMPLES } from '../../../shared/contract/openapi/validation-examples.ts';
import { acknowledge, CREDENTIALS, refuse } from './fake-registry.ts';
import { ENVIRONMENT, useCli } from './run-cli.ts';

const example = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;
const cli = useCli();
const { run, fileOf } = cli;

describe('one request', () => {
  it('transmits a file and prints its outcome', async () => {
    const file = fileOf('one.json', JSON.stringify(example));
    const { exitCode, data, messages } = await run(['transmit', file], {
      answer: () => acknowledge(201),
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(data)).toMatchObject({
      status: 'ACCEPTED',
      registryReference: 'PPAI-2026-000000097',
    });
    expect(messages).toContain('ACCEPTED as PPAI-2026-000000097');
  });

  it('asks for the outcome of a certificate without transmitting it', async () => {
    const { accepted } = VALIDATION_EXAMPLES;
    const { exitCode, data } = await run(['validate', '-'], {
      answer: () => ({ status: 200, body: successEnvelope(accepted ?? {}) }),
      input: JSON.stringify(example),
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(data)).toEqual(accepted);
    expect(cli.registry?.received).toMatchObject([
      { method: 'POST', target: '/api/v1/ppai/policies/validation', isSigned: true },
    ]);
  });

  it('reads the body from standard input', async () => {
    const { exitCode } = await run(['transmit', '-'], {
      answer: () => acknowledge(201),
      input: JSON.stringify(example),
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(cli.registry?.received[0]?.body.toString() ?? '')).toEqual(example);
  });

  it('shows code, message, each detail with its field, and the request id, with exit code 3', async () => {
    const error = {
      code: 'VALIDATION_FAILED',
      message: 'The request did not pass validation; see details.',
      requestId: 'request-7',
      details: [
        {
          level: 1,
          severity: 'ERROR',
          code: 'REQUIRED',
          field: 'vehicles[0].chassisNumber',
          message: 'It is required.',
        },
      ],
    };
    const { exitCode, messages } = await run(['read', 'PPAI-2026-000000001'], {
      answer: () => ({ status: 422, body: { success: false, data: null, error } }),
    });
    expect(exitCode).toBe(3);
    expect(messages.split('\n')).toEqual([
      '422 VALIDATION_FAILED: The request did not pass validation; see details.',
      '  ERROR level 1 REQUIRED  vehicles[0].chassisNumber  It is required.',
      '  request id: request-7',
    ]);
  });

  it.each([
    [
      ['search', '--plate-number', 'ABC 123', '--page-size', '5'],
      '/api/v1/ppai/policies/search?plateNumber=ABC+123&pageSize=5',
    ],
    [['lookup', 'my-id-0001', '--wait', '7'], '/api/v1/ppai/transmissions/my-id-0001'],
    [
      ['coverage', 'ABC123', '--as-of', '2026-01-02'],
      '/api/v1/ppai/vehicles/ABC123/coverage?asOf=2026-01-02',
    ],
    [['read', 'PPAI-2026-000000001'], '/api/v1/ppai/policies/PPAI-2026-000000001'],
    [['limits'], '/api/v1/limits'],
  ])('sends %j as %s', async (args, target) => {
    expect((await run(args, { answer: () => acknowledge(200) })).exitCode).toBe(0);
    expect(cli.registry?.received[0]).toMatchObject({ method: 'GET', target, isSigned: true });
  });

  it('exits with 4 when the transmission is still in progress at the deadline', async () => {
    const { exitCode } = await run(['transmit', '-', '--deadline', '0'], {
      answer: () => acknowledge(202, { status: 'RECEIVED' }),
      input: JSON.stringify(example),
    });
    expect(exitCode).toBe(4);
  });

  it.each([
    [['nonsense'], /unknown command/],
    [['transmit'], /missing required argument/],
    [['transmit', 'no-such-file.json'], /no-such-file\.json cannot be read/],
    [['transmit', '-'], /- is not JSON/],
    [['lookup', 'x', '--wait', 'soon'], /whole number/],
    [['--base-url', 'registry', 'token'], /--base-url must be/],
    [['--client-file', 'none.json', 'token'], /none\.json cannot be read/],
  ])('exits with 2 and the reason: %j', async (args, message) => {
    const { exitCode, messages } = await run(args, { input: '{' });
    expect(exitCode).toBe(2);
    expect(messages).toMatch(message);
  });

  it('names the missing variables, and the clients of a file', async () => {
    const bare = await run(['token'], { environment: {} });
    expect(bare.messages).toMatch(
      /REGISTRY_CLIENT_ID, REGISTRY_CLIENT_SECRET, REGISTRY_SIGNING_SECRET/,
    );
    const clients = ['alpha', 'bravo'].map((name) => ({ name, ...CREDENTIALS }));
    const file = fileOf('clients.json', JSON.stringify({ clients, adminUsers: [] }));
    const unnamed = await run(['--client-file', file, 'token'], { environment: {} });
    expect(unnamed).toMatchObject({ exitCode: 2 });
    expect(unnamed.messages).toContain('alpha, bravo');
    expect(unnamed.messages).not.toContain(CREDENTIALS.clientSecret);
    const named = await run(['--client-file', file, '--client', 'bravo', 'token'], {
      environment: {},
      answer: () => refuse('NOT_FOUND'),
    });
    expect(named.exitCode).toBe(0);
  });

  it('prints the signature headers of the test vectors', async () => {
    const { cases } = JSON.parse(
      readFileSync(join(__dirname, '../vectors/signature.json'), 'utf8'),
    );
    const vector = cases.find(({ name }: { name: string }) => name === 'POST JSON');
    const body = fileOf('body.json', Buffer.from(vector.bodyHex, 'hex').toString());
    const { data, messages } = await run(
      [
        'sign',
        'post',
        `https://registry.example.org${vector.target}`,
        body,
        '--timestamp',
        vector.timestamp,
        '--nonce',
        vector.nonce,
      ],
      { environment: { ...ENVIRONMENT, REGISTRY_SIGNING_SECRET: vector.signingSecret } },
    );
    expect(data.split('\n')).toEqual([
      `X-PPAI-Client-Id: ${CREDENTIALS.clientId}`,
      `X-PPAI-Timestamp: ${vector.timestamp}`,
      `X-PPAI-Nonce: ${vector.nonce}`,
      `X-PPAI-Signature: ${vector.signature}`,
    ]);
    expect(messages).toContain(vector.bodyDigest);
  });
});
