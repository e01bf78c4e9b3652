import type { Acknowledgment } from '../../../shared/contract/machine/acknowledgment.ts';
import type { FlagItem } from '../../../shared/contract/staff/flags.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import { listFlags } from '../../../shared/store/staff/flags/read-flags.ts';
import {
  type BodyChanges,
  makeBody,
  makePlainVehicle,
  makeVehicle,
  today,
} from '../../env/api/bodies.ts';
import type { Stack } from '../../env/api/stack.ts';
import { issueToken } from '../../env/records/record-world.ts';

/** Registers a certificate whose vehicle the reference data does not know. Returns its flag. */
export async function raiseMismatch(stack: Stack): Promise<FlagItem> {
  return flagOf(stack, await transmit(stack, 'alpha', makeBody({ vehicles: [makeVehicle()] })));
}

/** Registers a vehicle that has the plate number of one vehicle and the other identifiers of another. Returns its flag. */
export async function raiseConflict(
  stack: Stack,
  operator: BodyChanges['operator'] = {},
): Promise<FlagItem> {
  const [first, second] = [makePlainVehicle(), makePlainVehicle()];
  const certificate = {
    effectiveDate: addDays(today(), -20),
    expirationDate: addDays(today(), -10),
  };
  const issuingInsurerCode = 'INS-BRAVO';
  await transmit(stack, 'alpha', makeBody({ vehicles: [first], certificate }));
  await transmit(stack, 'bravo', makeBody({ issuingInsurerCode, vehicles: [second], certificate }));
  const vehicles = [{ ...second, plateNumber: first.plateNumber }];
  return flagOf(
    stack,
    await transmit(stack, 'bravo', makeBody({ issuingInsurerCode, vehicles, operator })),
  );
}

/** With a new token, because the clock of the tests may have advanced beyond the end of an earlier one. */
async function transmit(stack: Stack, client: string, body: object): Promise<Acknowledgment> {
  const { db, clock } = stack.api.context;
  const token = await issueToken(db, stack.client(client).clientId, clock.now());
  const answer = await stack.send(client, { path: '/ppai/policies', body, token });
  if (answer.status >= 300) throw new Error(`refused: ${answer.text}`);
  return answer.envelope.data as unknown as Acknowledgment;
}

async function flagOf({ api }: Stack, acknowledgment: Acknowledgment): Promise<FlagItem> {
  const { status, registryReference } = acknowledgment;
  const query = { registryReference: registryReference ?? '', order: 'newest', limit: 1 } as const;
  const { db, keyring, clock } = api.context;
  const { items } = await listFlags(db, keyring, query, clock.now());
  const [raised] = items;
  if (raised === undefined) throw new Error(`${status} raised no flag`);
  return raised;
}
