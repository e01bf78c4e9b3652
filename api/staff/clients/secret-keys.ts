import type { SecretKeys } from '../../../shared/store/access/clients.ts';
import type { ApiContext } from '../../context.ts';

/** What client secrets are hashed and signing secrets sealed with. */
export function secretKeysOf({ keyring, config }: ApiContext): SecretKeys {
  return { keyring, pepper: config.clientSecretPepper[0] };
}
