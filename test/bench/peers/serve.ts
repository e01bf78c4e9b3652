import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import {
  readConfig,
  requireServiceConfig,
  type ServiceConfig,
} from '../../../shared/platform/config/config.ts';
import { reportReady } from '../../../shared/platform/config/supervised.ts';
import { makeGatedApp } from './gated-express.ts';
import { makeHelloApp } from './hello.ts';
import { JOB_LIBRARIES, makeJobsApp } from './jobs-worker.ts';
import { makeSynchronousApp } from './synchronous-express.ts';

/** What a peer is: an Express application on the servers of the configuration. */
type MakePeer = (config: ServiceConfig) => Promise<Express>;

const PEERS: Readonly<Record<string, MakePeer>> = {
  hello: makeHelloApp,
  gate: makeGatedApp,
  synchronous: makeSynchronousApp,
  ...Object.fromEntries(
    JOB_LIBRARIES.map((library) => [`jobs-${library}`, (config) => makeJobsApp(library, config)]),
  ),
};

/** Runs one peer in this process until SIGTERM. */
export async function servePeer(name: string): Promise<void> {
  const makePeer = PEERS[name];
  if (makePeer === undefined) throw new Error(`there is no peer ${name}`);
  const app = await makePeer(requireServiceConfig(readConfig(process.env)));
  app.disable('x-powered-by');
  const server = app.listen(0, '127.0.0.1', () => {
    reportReady({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
  process.once('SIGTERM', () => process.exit(0));
  process.once('disconnect', () => process.exit(0));
}
