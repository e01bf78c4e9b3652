import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { listen } from '../../../api/http/listen.ts';

describe('a listener that shuts down', () => {
  it('keeps connections open until it has stopped accepting new ones', async () => {
    const held: express.Response[] = [];
    const app = express();
    const isHeld = new Promise<void>((resolve) => {
      app.get('/held', (_request, response) => {
        held.push(response);
        resolve();
      });
    });
    app.get('/', (_request, response) => void response.send('here'));
    const listening = await listen(app, { host: '127.0.0.1', port: 0 });
    const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
    const answers: string[] = [];
    const answered = () =>
      new Promise<void>((resolve) =>
        socket.once('data', (part) => {
          answers.push(part.toString());
          resolve();
        }),
      );
    socket.write('GET /held HTTP/1.1\r\nHost: registry\r\n\r\n');
    await isHeld;
    const first = answered();
    const stopped = listening.stopAccepting();
    held[0]?.send('held');
    await first;
    await stopped;
    const closed = listening.close();
    const second = answered();
    socket.write('GET / HTTP/1.1\r\nHost: registry\r\n\r\n');
    await second;
    await closed;
    expect(answers).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 200 [\s\S]*Connection: keep-alive[\s\S]*held$/),
      expect.stringMatching(/^HTTP\/1\.1 200 [\s\S]*Connection: close[\s\S]*here$/),
    ]);
  });

  it('answers clients that have connected by then, and no later ones', async () => {
    const app = express();
    app.get('/', (_request, response) => void response.send('here'));
    const listening = await listen(app, { host: '127.0.0.1', port: 0 });
    const port = Number(new URL(listening.url).port);
    // More than the event loop accepts in a few turns.
    const answers = Array.from({ length: 50 }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: registry\r\n\r\n');
      return text(socket);
    });
    // The system has the connections after this; the process accepts one in each of the next turns of the event loop.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    await listening.close();
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*here$/);
    }
    const late = connect(port, '127.0.0.1');
    await expect(once(late, 'connect')).rejects.toThrow('ECONNREFUSED');
  });
});

describe('a request with an unknown expectation', () => {
  const EXPECTING = (path: string) => `GET ${path} HTTP/1.1\r\nHost: registry\r\nExpect: x\r\n\r\n`;

  it('has the same time limits as others', async () => {
    const app = express();
    app.get('/held', () => undefined);
    const timeouts = { responseMs: 200, checkIntervalMs: 50 };
    const listening = await listen(app, { host: '127.0.0.1', port: 0 }, { timeouts });
    const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
    const cutOff = once(socket, 'close');
    socket.on('error', () => undefined);
    socket.write(EXPECTING('/held'));
    await cutOff;
    await listening.close();
  });

  it('does not delay the shutdown: its connection is closed after the answer', async () => {
    const app = express();
    const held: express.Response[] = [];
    const isHeld = new Promise<void>((resolve) => {
      app.get('/held', (_request, response) => {
        held.push(response);
        resolve();
      });
    });
    const listening = await listen(app, { host: '127.0.0.1', port: 0 });
    const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
    const answer: Buffer[] = [];
    socket.on('data', (part) => answer.push(part));
    const ended = once(socket, 'end');
    socket.write(EXPECTING('/held'));
    await isHeld;
    const closed = listening.close();
    await listening.stopAccepting();
    held[0]?.send('held');
    await Promise.all([ended, closed]);
    expect(Buffer.concat(answer).toString()).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close/);
  });
});
