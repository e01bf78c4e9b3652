import type { Keyring } from '../shared/platform/secrets/sealing.ts';
import type { TakenTransmission } from '../shared/store/intake/processing.ts';

/** The known members of the body as sent; they passed the schema of `Body` before they were recorded (D6). */
export function openBody<Body>(
  keyring: Keyring,
  { id, bodySealed }: Pick<TakenTransmission, 'id' | 'bodySealed'>,
): Body {
  return JSON.parse(keyring.open(Buffer.from(bodySealed), id).toString()) as Body;
}
