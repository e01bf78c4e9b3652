import type { Redis } from 'ioredis';
import { Client, Pool } from 'pg';
import { sessionConfig } from '../db/postgres-session.ts';
import { WatchedClient } from '../db/watched-client.ts';

// Completion notices from workers to API processes with waiting requests. A notice may be lost: a waiter also reads the row.

export interface CompletionPublisher {
  /** Announces terminal transmissions; call it after the commit. */
  announce(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface CompletionSubscription {
  close(): Promise<void>;
}

const CHANNEL = 'registry_settled';
/** A PostgreSQL notification carries less than 8,000 bytes; an id is 36 and a comma. */
const IDS_PER_NOTICE_MAX = 200;
const RECONNECT_MS = 500;

function redisChannel(prefix: string): string {
  return `${prefix}:settled`;
}

function* notices(ids: readonly string[]): Generator<string> {
  for (let start = 0; start < ids.length; start += IDS_PER_NOTICE_MAX) {
    yield ids.slice(start, start + IDS_PER_NOTICE_MAX).join(',');
  }
}

export function redisPublisher(redis: Redis, prefix: string): CompletionPublisher {
  return {
    announce: async (ids) => {
      for (const notice of notices(ids)) await redis.publish(redisChannel(prefix), notice);
    },
    close: async () => undefined,
  };
}

/** Sends notices on its own connection after the commit, because a NOTIFY inside the transaction would serialize all commits. */
export function postgresPublisher(
  databaseUrl: string,
  onError: (error: Error) => void,
): CompletionPublisher {
  const pool = new Pool({
    Client: WatchedClient,
    ...sessionConfig(databaseUrl, {
      applicationName: 'completions',
      settings: { synchronous_commit: 'off' },
    }),
    max: 1,
  });
  pool.on('error', onError);
  return {
    announce: async (ids) => {
      for (const notice of notices(ids)) {
        await pool.query('SELECT pg_notify($1, $2)', [CHANNEL, notice]);
      }
    },
    close: () => pool.end(),
  };
}

/** `redis` must be a separate connection, because a subscribed connection accepts no other command. */
export async function subscribeRedis(
  redis: Redis,
  prefix: string,
  onSettled: (ids: readonly string[]) => void,
): Promise<CompletionSubscription> {
  redis.on('message', (_channel: string, notice: string) => onSettled(notice.split(',')));
  await redis.subscribe(redisChannel(prefix));
  return {
    close: async () => {
      redis.disconnect();
    },
  };
}

/** Listens on one connection and opens another if it is lost. Notices in between are missed. */
export async function subscribePostgres(
  databaseUrl: string,
  onSettled: (ids: readonly string[]) => void,
  onError: (error: Error) => void,
): Promise<CompletionSubscription> {
  let closed = false;
  let client: Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const next = new Client({
      ...sessionConfig(databaseUrl, { applicationName: 'completions' }),
      keepAlive: true,
    });
    next.on('error', onError);
    next.on('end', reconnect);
    next.on('notification', ({ payload }) => onSettled((payload ?? '').split(',')));
    client = next;
    await next.connect();
    await next.query(`LISTEN ${CHANNEL}`);
  };
  const reconnect = (): void => {
    if (closed) return;
    clearTimeout(retry);
    retry = setTimeout(() => {
      connect().catch((error: Error) => {
        onError(error);
        reconnect();
      });
    }, RECONNECT_MS);
  };

  await connect();
  return {
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
