import type { Keyring } from '../shared/platform/secrets/sealing.ts';
import type { ClaimedTransmission } from '../shared/store/intake/claim.ts';

/** The known members of the body as sent; they passed the schema of `Body` before they were recorded (D6). */
export function openBody<Body>(
  keyring: Keyring,
  { id, bodySealed }: Pick<ClaimedTransmission, 'id' | 'bodySealed'>,
): Body {
  return JSON.parse(keyring.open(Buffer.from(bodySealed), id).toString()) as Body;
}
