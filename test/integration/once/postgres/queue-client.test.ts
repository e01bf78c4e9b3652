import { type AddressInfo, createServer, type Server } from 'node:net';
import { QueueClient } from '../../../../shared/queue/postgres-pool.ts';

/** A message of the PostgreSQL protocol: its type, its length, its body. */
function message(letter: string, ...parts: readonly (string | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(5, letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const WELCOME = Buffer.concat([message('R', [0, 0, 0, 0]), message('Z', 'I')]);
const FAREWELL = message('E', 'SFATAL\0', 'C57P01\0', 'Mterminating connection\0', [0]);

/** A server that accepts each connection, sends everything at once and closes it. */
let server: Server;
let port: number;
beforeEach(async () => {
  server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([WELCOME, FAREWELL])));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => new Promise<unknown>((closed) => server.close(closed)));

const connect = async (): Promise<QueueClient> => {
  const client = new QueueClient({ host: '127.0.0.1', port, user: 'nobody', database: 'none' });
  await client.connect();
  return client;
};

describe('a connection of the queue that ends at the moment in which it becomes ready', () => {
  it('does not end the process, and later listeners receive its end', async () => {
    const client = await connect();
    const heard = new Promise<Error>((resolve) => client.on('error', resolve));
    expect((await heard).message).toBe('Connection terminated unexpectedly');
  });

  it('accepts no query', async () => {
    const client = await connect();
    await expect(client.query('SELECT 1')).rejects.toThrow('not queryable');
    await client.end();
  });
});
