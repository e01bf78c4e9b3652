import { Client, Pool } from 'pg';
import { sessionConfig } from '../db/postgres-session.ts';
import { SILENCE_MS_MAX } from '../db/watched-client.ts';
import { QUEUE_SCHEMA } from './migrate.ts';

/** Connections for statements, and one on which a BullMQ worker listens for new jobs. */
const CONNECTIONS_MAX = 3;
/** TCP keepalive finds a lost connection on which a worker only listens. */
const KEEPALIVE_DELAY_MS = 10_000;

/**
 * An error without a listener ends the process. BullMQ adds its error listener only when a connection is established, and removes
 * all listeners before it closes one. No error is lost: every query on the connection fails, and the pool removes it.
 */
export class QueueClient extends Client {
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'error' && this.listenerCount('error') === 0) return false;
    return Reflect.apply(super.emit, this, [event, ...values]);
  }
}

/** Opens a pool for one BullMQ object, which takes its schema from the search path. The caller ends it. */
export function openQueuePool(databaseUrl: string): Pool {
  return new Pool({
    Client: QueueClient,
    ...sessionConfig(databaseUrl, {
      applicationName: 'queue',
      settings: { search_path: QUEUE_SCHEMA },
    }),
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: SILENCE_MS_MAX,
    query_timeout: SILENCE_MS_MAX,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
  });
}
