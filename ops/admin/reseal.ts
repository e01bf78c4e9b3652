import { makeKeyring } from '../../shared/platform/secrets/sealing.ts';
import { requireKeys } from '../../shared/store/keys/key-checks.ts';
import { resealAll } from '../../shared/store/keys/reseal.ts';
import {
  type PepperUse,
  retireEncryptionKeys,
  retirePeppers,
} from '../../shared/store/keys/retire-keys.ts';
import { renewSeal } from '../../shared/store/staff/audit-seal.ts';
import type { AdminContext } from './commands.ts';

const NAMES_SHOWN_MAX = 20;

/** Reseals all values under the newest key and prints which keys may be removed. False when a value could not be opened. */
export async function reseal({
  db: open,
  keys: keysOf,
  by,
  print,
  printError,
}: AdminContext): Promise<boolean> {
  const [db, keys] = [open(), keysOf()];
  const [{ id: activePepperId } = { id: '' }] = keys.clientSecretPepper;
  const keyring = makeKeyring(keys.encryptionKeys);
  await requireKeys(db, keys);
  const { resealed, unreadable, left } = await resealAll(db, keyring);
  await renewSeal(db, keyring);
  for (const [column, count] of Object.entries(resealed)) {
    print(`${column}: ${count === 0 ? 'nothing to do' : `${count} resealed`}`);
  }
  for (const [column, { count, reason }] of Object.entries(unreadable)) {
    printError(`${column}: ${count} cannot be opened (${reason}).`);
  }
  for (const [keyId, count] of Object.entries(left)) {
    print(
      `Key "${keyId}" is still needed: ${count} values are sealed under it. Run the command again.`,
    );
  }
  const retired = await retireEncryptionKeys(db, { activeKeyId: keyring.activeKeyId, left });
  for (const keyId of retired) {
    print(`Key "${keyId}" is no longer needed: remove it from ENCRYPTION_KEYS of every process.`);
  }
  if (retired.length > 0) {
    print(
      `A process that started before "${keyring.activeKeyId}" became the first key still seals under its old key: restart it and run the command again before you destroy that key.`,
    );
  }
  const peppers = await retirePeppers(db, activePepperId, by().at);
  for (const use of peppers.needed) print(describeUse(use));
  for (const pepperId of peppers.retired) {
    print(`Pepper ${pepperId} is no longer needed: remove it from CLIENT_SECRET_PEPPER.`);
  }
  return Object.keys(unreadable).length === 0;
}

function describeUse({ pepperId, clientIds, users }: PepperUse): string {
  const needs = [
    ...(clientIds.length === 0
      ? []
      : [
          `clients ${joinSome(clientIds)}, until each requests a token or its client secret is replaced`,
        ]),
    ...(users.length === 0
      ? []
      : [`recovery codes of ${joinSome(users)}, until they replace their codes`]),
  ];
  return `Pepper ${pepperId} is still needed by ${needs.join('; and by ')}.`;
}

function joinSome(names: readonly string[]): string {
  const rest = names.length - NAMES_SHOWN_MAX;
  const shown = names.slice(0, NAMES_SHOWN_MAX).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
