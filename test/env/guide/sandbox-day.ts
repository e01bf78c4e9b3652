import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DemoCredentials, type SeededClient } from '../../../ops/seed.ts';
import { SandboxClock } from '../../../shared/contract/machine/sandbox/clock.ts';
import { daysBetween } from '../../../shared/domain/calendar.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { requestToken, type SignedRequest, send, signRequest } from '../api/signed-request.ts';

/** The first client of the demonstration in a data folder. */
export function readDemoClient(dataDir: string): SeededClient {
  const text = readFileSync(join(dataDir, 'demo-clients.json'), 'utf8');
  const [client] = DemoCredentials.parse(JSON.parse(text)).clients;
  if (client === undefined) throw new Error(`there is no client in ${dataDir}`);
  return client;
}

/** Moves the calendar of a sandbox to a day, so that a document's certificates are in force whenever its test runs (D40). */
export async function setSandboxDay(url: string, client: SeededClient, day: string): Promise<void> {
  const token = await requestToken((request) => send(url, request), client);
  async function ask(request: SignedRequest): Promise<SandboxClock> {
    const { envelope } = await send(url, signRequest(client, token, request, systemClock));
    return SandboxClock.parse(envelope.data);
  }
  const path = '/sandbox/clock';
  const { dayOffset, today } = await ask({ path });
  await ask({ path, body: { dayOffset: dayOffset + daysBetween(today, day) } });
}
