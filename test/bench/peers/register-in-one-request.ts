import type { Db } from '../../../shared/db/prisma.ts';
import { decideRegistration } from '../../../shared/domain/registration/plan-registration.ts';
import { calendarDate, systemClock } from '../../../shared/platform/clock.ts';
import type { ServiceConfig } from '../../../shared/platform/config/config.ts';
import { newId } from '../../../shared/platform/new-id.ts';
import type { Keyring } from '../../../shared/platform/secrets/sealing.ts';
import { take } from '../../../shared/store/intake/processing.ts';
import { receive } from '../../../shared/store/intake/receive.ts';
import { settle } from '../../../shared/store/registry/commit/settle.ts';
import { readFacts } from '../../../shared/store/registry/facts.ts';
import { registryReference } from '../../../worker/register-batch.ts';
import { prepareEndings } from '../../../worker/settle-together.ts';
import { makeReceived } from '../load/received.ts';
import type { Registration, RegistrationAnswer } from './synchronous-express.ts';

const LEASE_SECONDS = 60;

/** The registry's own statements one after the other, without a queue and without company. */
export async function registerInOneRequest(
  db: Db,
  keyring: Keyring,
  { registryTimeZone }: ServiceConfig,
  { organizationId, body, submission }: Registration,
): Promise<RegistrationAnswer> {
  const now = new Date();
  const today = calendarDate(now, registryTimeZone);
  const id = newId();
  await receive(db, keyring, [makeReceived(id, organizationId, body)]);
  const { taken } = await take(db, id, {
    leaseSeconds: LEASE_SECONDS,
    // Without company: a look at others locks them for a moment, and their own requests would find them held.
    transmissionsMax: 0,
    vehiclesMax: 0,
  });
  const [transmission] = taken;
  if (transmission === undefined) throw new Error('a new transmission could not be taken');
  const [facts] = await readFacts(
    db,
    [{ submission, organizationId, apiClientId: null, neededScope: 'ppai:transmit' }],
    { now, today },
  );
  const { registrySequence: sequence } = transmission;
  if (facts === undefined || sequence === null) throw new Error('facts are missing');
  const outcome = decideRegistration(transmission, submission, facts, {
    transmissionId: id,
    sequence,
    registryReference: registryReference(today, sequence),
    now,
    newId,
  });
  await settle(
    db,
    prepareEndings({ clock: systemClock, keyring }, [{ transmission, outcome }]).settlement,
  );
  return { status: outcome.verdict.status };
}
