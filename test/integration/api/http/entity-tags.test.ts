import { createHash } from 'node:crypto';
import type { Acknowledgment } from '../../../../shared/contract/machine/acknowledgment.ts';
import { API_BASE } from '../../../../shared/contract/machine/endpoints.ts';
import { systemClock } from '../../../../shared/platform/clock.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import {
  type SignedRequest,
  signRequest,
  type TestAnswer,
} from '../../../env/api/signed-request.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { signInAs } from '../../../env/staff/staff.ts';
import { checkAnswer } from '../../../pure/contract/answer-matcher.ts';

let stack: Stack;
let acknowledgment: Acknowledgment;
beforeAll(async () => {
  stack = await startStack();
  ({ acknowledgment } = await stack.transmit('alpha', makeBody()));
});
afterAll(() => stack.stop());

const recordPath = () => `/ppai/policies/${acknowledgment.registryReference}`;
const transmissionPath = () => `/ppai/transmissions/${acknowledgment.transmissionReference}`;
const quotaLeft = ({ headers }: TestAnswer) =>
  Number(/r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);

const getIfNoneMatch = (path: string, etag: string | undefined) =>
  stack.send('alpha', { path, headers: { 'if-none-match': etag } });

describe('an entity tag (D39)', () => {
  it.each([
    ['a record', recordPath],
    ['a terminal acknowledgment', transmissionPath],
  ])(
    'of %s is the SHA-256 of data, and a request that has it gets 304 without a body',
    async (_, pathOf) => {
      const first = await stack.get('alpha', pathOf());
      const [, data = ''] = /^\{"success":true,"data":(.*),"error":null\}$/.exec(first.text) ?? [];
      const tag = `W/"${createHash('sha256').update(data).digest('hex')}"`;
      expect(first.headers['etag']).toBe(tag);
      for (const sent of [tag, `"other", ${tag}`, tag.slice(2), '*']) {
        const again = await getIfNoneMatch(pathOf(), sent);
        expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', tag]);
        const { status, headers, text: body } = again;
        expect(
          checkAnswer({ method: 'GET', path: `${API_BASE}${pathOf()}`, status, headers, body }),
        ).toEqual([]);
      }
      for (const sent of ['"other"', 'W/"other"', '', tag.toUpperCase()])
        expect((await getIfNoneMatch(pathOf(), sent)).status).toBe(200);
    },
  );

  it('of a record changes with the record', async () => {
    const { acknowledgment: own } = await stack.transmit('alpha', makeBody());
    const path = `/ppai/policies/${own.registryReference}`;
    const before = (await stack.get('alpha', path)).headers['etag'];
    await stack.post('alpha', `${path}/amendments`, {
      externalTransactionId: `${own.externalTransactionId}-A`,
      reason: 'A receipt was found',
      changes: { policy: { officialReceiptNumber: 'OR-2' } },
    });
    const after = await getIfNoneMatch(path, before);
    expect(after.status).toBe(200);
    expect(after.headers['etag']).not.toBe(before);
  });

  it('does not save quota: a request answered with 304 counts', async () => {
    const first = await stack.get('alpha', recordPath());
    const again = await getIfNoneMatch(recordPath(), first.headers['etag']);
    expect([again.status, quotaLeft(again)]).toEqual([304, quotaLeft(first) - 1]);
  });

  it('reveals nothing to a caller that may not see the record', async () => {
    const { headers } = await stack.get('alpha', recordPath());
    for (const sent of [headers['etag'], '*']) {
      const answer = await stack.send('charlie', {
        path: recordPath(),
        headers: { 'if-none-match': sent },
      });
      expect([answer.status, answer.headers['etag']]).toEqual([404, undefined]);
    }
  });

  it('is missing while a transmission is in progress', async () => {
    await stack.stopWorkers();
    const body = makeBody();
    await stack.transmit('alpha', body, 'respond-async');
    const path = `/ppai/transmissions/${body.externalTransactionId}`;
    const answer = await stack.send('alpha', { path, headers: { 'if-none-match': '*' } });
    expect([answer.status, answer.headers['etag']]).toEqual([200, undefined]);
    await stack.addWorker();
  });

  it('is missing from other answers, including those of the staff realm', async () => {
    const admin = await signInAs(stack, 'ADMINISTRATOR');
    const answers = [
      await stack.get('alpha', `${recordPath()}/versions`),
      await stack.get('alpha', '/limits'),
      await stack.get('alpha', '/ppai/policies/PPAI-2026-999999999'),
      await admin.get(`/admin/v1/records/${acknowledgment.registryReference}`),
      await admin.get('/admin/v1/clients'),
    ];
    expect(answers.map(({ headers }) => headers['etag'])).toEqual(answers.map(() => undefined));
  });

  it('of the OpenAPI document works for GET and HEAD', async () => {
    const target = `${API_BASE}/openapi.json`;
    const { headers, text } = await stack.sendRaw({ target });
    const tag = `W/"${createHash('sha256').update(text).digest('hex')}"`;
    expect(headers['etag']).toBe(tag);
    for (const method of ['GET', 'HEAD']) {
      const again = await stack.sendRaw({ method, target, headers: { 'if-none-match': tag } });
      expect([again.status, again.text]).toEqual([304, '']);
    }
  });

  it('works for fetch, which adds Cache-Control: no-cache', async () => {
    const { headers } = await stack.get('alpha', recordPath());
    const request: SignedRequest = {
      path: recordPath(),
      headers: { 'if-none-match': headers['etag'] },
    };
    const signed = signRequest(
      stack.client('alpha'),
      await stack.tokenOf('alpha'),
      request,
      systemClock,
    );
    const answer = await fetch(`${stack.baseUrl}${signed.target}`, {
      headers: signed.headers as Record<string, string>,
    });
    expect([answer.status, await answer.text()]).toEqual([304, '']);
  });
});
