import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  acknowledge,
  CREDENTIALS,
  type FakeOptions,
  type FakeRegistry,
  issueToken,
  type Reply,
  refuse,
  startFakeRegistry,
} from '../../pure/client/fake-registry.ts';
import type { DrivenClient, DriverAnswer, Session } from '../driven-client.ts';
import type { Check } from './check.ts';

const BODY = '{"operator":{"name":"Niño Peña"}}\n';

interface Exchange {
  readonly answers: readonly DriverAnswer[];
  readonly received: FakeRegistry['received'];
  readonly tokens: number;
}

/** The retry rules of the TypeScript client (`client/transport.ts`), against a registry that gives scripted answers. */
export const RETRY_CHECKS: readonly Check[] = [
  {
    name: 'sends the same bytes again after 429, 502, 503, 504 and a lost connection, signed anew',
    run: async (client, folder) => {
      const busy = [429, 502, 503, 504].map((status) => ({ ...refuseAtOnce(), status }));
      const cut = { status: 0, isCut: true };
      const { answers, received } = await transmit(client, folder, [...busy, cut, accepted()]);
      assert.deepEqual(statusesOf(answers), [201, 201]);
      requireSignedAnew(received, 6);
    },
  },
  {
    name: 'sends again after an answer, also a refusal, that is cut within its body',
    run: async (client, folder) => {
      const chunked = { 'transfer-encoding': 'chunked' };
      const cut = [accepted(), refuse('VALIDATION_FAILED')].flatMap((reply) => [
        { ...reply, isCutShort: true },
        { ...reply, isCutShort: true, headers: chunked },
      ]);
      const { answers, received } = await transmit(client, folder, [...cut, accepted()]);
      assert.deepEqual(statusesOf(answers), [201, 201]);
      requireSignedAnew(received, 5);
    },
  },
  {
    name: 'waits as long as Retry-After says',
    run: async (client, folder) => {
      const times: number[] = [];
      const answer = (_: unknown, index: number): Reply => {
        times.push(performance.now());
        const status = [429, 502, 500][index];
        if (status === undefined) return accepted();
        return { ...refuse('RATE_LIMITED', { headers: { 'retry-after': '2' } }), status };
      };
      const { answers } = await transmit(client, folder, answer);
      assert.deepEqual(statusesOf(answers), [201, 201]);
      for (const [index, at] of times.slice(1).entries()) {
        const waited = at - (times[index] ?? 0);
        assert(waited >= 1_950, `waited ${waited} ms before attempt ${index + 2}`);
      }
    },
  },
  {
    name: 'returns a 429 that persists, after six attempts',
    run: async (client, folder) => {
      const { answers, received } = await transmit(client, folder, [refuseAtOnce()]);
      assert.deepEqual(
        answers.map(({ status, code }) => [status, code]),
        Array.from({ length: 2 }, () => [429, 'RATE_LIMITED']),
      );
      assert.equal(received.length, 6);
    },
  },
  {
    name: 'does not retry after 500 without Retry-After',
    run: async (client, folder) => {
      const { answers, received } = await transmit(client, folder, [refuse('INTERNAL_ERROR')]);
      assert.deepEqual(statusesOf(answers), [500, 500]);
      assert.equal(received.length, 1);
    },
  },
  {
    name: 'renews a token that is refused, once',
    run: async (client, folder) => {
      const refusal = refuse('INVALID_TOKEN');
      const renewed = await transmit(client, folder, [refusal, accepted()]);
      assert.deepEqual(statusesOf(renewed.answers), [201, 201]);
      assert.equal(renewed.tokens, 2);
      assert.equal(renewed.received[1]?.headers.authorization, 'Bearer token-1');
      const refused = await transmit(client, folder, [refusal]);
      assert.equal(refused.answers[0]?.code, 'INVALID_TOKEN');
      assert.equal(refused.received.length, 2);
    },
  },
  {
    name: 'sends again with another nonce after NONCE_REUSED, once',
    run: async (client, folder) => {
      const refusal = refuse('NONCE_REUSED');
      const mended = await transmit(client, folder, [refusal, accepted()]);
      assert.deepEqual(statusesOf(mended.answers), [201, 201]);
      requireSignedAnew(mended.received, 2);
      const refused = await transmit(client, folder, [refusal]);
      assert.equal(refused.answers[0]?.code, 'NONCE_REUSED');
      assert.equal(refused.received.length, 2);
    },
  },
  {
    name: 'mends a refused token and a wrong clock of the same request',
    run: async (client, folder) => {
      const wrongClock = refuse('TIMESTAMP_OUT_OF_RANGE');
      const replies = [refuse('INVALID_TOKEN'), wrongClock, accepted()];
      const { answers } = await transmit(client, folder, replies);
      assert.deepEqual(statusesOf(answers), [201, 201]);
    },
  },
  {
    name: 'keeps its token while it is valid, and renews it before it ends',
    run: async (client, folder) => {
      const file = bodyFile(folder);
      const kept = await exchange(client, [file, file], { answer: accepted });
      assert.equal(kept.tokens, 1);
      const renewed = await exchange(client, [file, file], {
        answer: accepted,
        tokenReply: (index) => issueToken(index, { seconds: 0 }),
      });
      assert.equal(renewed.tokens, 2);
    },
  },
  {
    name: 'returns the answer of the token endpoint if it issues no token',
    run: async (client, folder) => {
      const { answers, received } = await exchange(client, [bodyFile(folder)], {
        answer: accepted,
        tokenReply: () => refuse('INVALID_CREDENTIALS'),
      });
      assert.equal(answers[0]?.code, 'INVALID_CREDENTIALS');
      assert.equal(received.length, 0);
    },
  },
  {
    name: "corrects its clock by the registry's Date",
    run: async (client, folder) => {
      const at = Math.floor(Date.now() / 1_000) + 3_600;
      const refusal = refuse('TIMESTAMP_OUT_OF_RANGE', {
        headers: { date: new Date(at * 1_000).toUTCString() },
      });
      const { answers, received } = await transmit(client, folder, [refusal, accepted()]);
      assert.deepEqual(statusesOf(answers), [201, 201]);
      const timestamp = Number(received[1]?.headers['x-ppai-timestamp']);
      assert(Math.abs(timestamp - at) < 60, `signed with ${timestamp} instead of ${at}`);
    },
  },
  {
    name: 'polls with Prefer until the outcome is there',
    run: async (client, folder) => {
      const waiting = acknowledge(202, { status: 'RECEIVED', registryReference: null });
      const polled = { ...waiting, status: 200, headers: { 'retry-after': '0' } };
      const { answers, received } = await transmit(client, folder, [waiting, polled, accepted()]);
      assert.deepEqual(statusesOf(answers), [202, 201]);
      assert.deepEqual(
        received.map(({ headers }) => headers['prefer']),
        ['respond-async', 'wait=30', 'wait=30'],
      );
      assert.match(received[1]?.target ?? '', /^\/api\/v1\/ppai\/transmissions\/PPAI-TX-/);
    },
  },
  {
    name: 'throws when an answer is not in the envelope or is a redirection, and quotes it',
    run: async (client, folder) => {
      for (const reply of [
        { status: 200, body: '<html>' },
        { status: 403, body: 'Blocked by the firewall' },
        { status: 403, body: '{"success":false,"error":"nope"}' },
        { status: 307, body: '', headers: { location: '/elsewhere' } },
      ]) {
        const { answers, received } = await transmit(client, folder, [reply]);
        assert.deepEqual(
          answers.map(({ code }) => code),
          ['NO_ANSWER'],
        );
        assert(JSON.stringify(answers[0]?.data).includes(JSON.stringify(reply.body).slice(1, -1)));
        assert.equal(received.length, 1);
      }
    },
  },
];

/** Takes as long as the clients wait for the rest of an answer: half a minute. */
export const STALL_CHECK: Check = {
  name: 'sends again after an answer that stalls within its body',
  run: async (client, folder) => {
    const replies = [{ ...accepted(), isStalled: true }, accepted()];
    const { answers, received } = await transmit(client, folder, replies);
    assert.deepEqual(statusesOf(answers), [201, 201]);
    requireSignedAnew(received, 2);
  },
};

function requireSignedAnew(received: Exchange['received'], times: number): void {
  assert.equal(received.length, times);
  assert(received.every(({ isSigned }) => isSigned));
  assert(received.every(({ body }) => body.toString() === BODY));
  assert.equal(new Set(received.map(({ headers }) => headers['x-ppai-nonce'])).size, times);
}

function accepted(): Reply {
  return acknowledge(201);
}

function refuseAtOnce(): Reply {
  return refuse('RATE_LIMITED', { headers: { 'retry-after': '0' } });
}

function statusesOf(answers: readonly DriverAnswer[]): number[] {
  return answers.map(({ status }) => status);
}

function bodyFile(folder: string): string {
  const file = join(folder, 'body.json');
  writeFileSync(file, BODY);
  return file;
}

/** Transmits and follows one body; the registry gives these replies in order and then repeats the last one. */
function transmit(
  client: DrivenClient,
  folder: string,
  replies: readonly Reply[] | FakeOptions['answer'],
): Promise<Exchange> {
  const answer =
    typeof replies === 'function'
      ? replies
      : (_: unknown, index: number) => replies[Math.min(index, replies.length - 1)] as Reply;
  return exchange(client, [bodyFile(folder)], { answer });
}

/** Transmits and follows the files with one client. */
async function exchange(
  client: DrivenClient,
  files: readonly string[],
  options: FakeOptions,
): Promise<Exchange> {
  const registry = await startFakeRegistry(options);
  const session: Session = client.open({ url: registry.url, ...CREDENTIALS });
  try {
    const answers = await session.ask('transmit', ...files);
    return { answers, received: registry.received, tokens: registry.tokensIssued() };
  } finally {
    await session.end();
    await registry.close();
  }
}
