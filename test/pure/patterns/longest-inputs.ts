import { NUMBER_CHARACTERS_MAX } from '../../../shared/contract/decimal.ts';
import { BODY_BYTES_MAX } from '../../../shared/contract/machine/transmission.ts';
import { STAFF_BODY_BYTES_MAX } from '../../../shared/contract/staff/endpoint.ts';

/** The maximum of request line and headers (api/http/listen.ts). */
const HEADERS = 16_384;
/** A setting, an argument of a command, a code that a person types. */
const OPERATORS_OWN = 4_096;

/** Files and folders whose patterns only get texts shorter than the largest body, with the maximum lengths. */
const LONGEST: readonly (readonly [string, number])[] = [
  // Texts of the project, once at start.
  ['api/docs/', OPERATORS_OWN],
  ['api/http/body/read-json.ts', BODY_BYTES_MAX],
  ['client/registry-client.ts', 256],
  ['api/staff/', STAFF_BODY_BYTES_MAX],
  ['api/auth/', HEADERS],
  ['api/http/', HEADERS],
  ['api/machine/', HEADERS],
  ['client/', OPERATORS_OWN],
  ['ops/', OPERATORS_OWN],
  ['shared/contract/staff/', STAFF_BODY_BYTES_MAX],
  ['shared/contract/decimal.ts', NUMBER_CHARACTERS_MAX],
  // The schema allows 1,000 characters, each of which NFKC turns into up to 18.
  ['shared/domain/identifiers.ts', 18_000],
  ['shared/domain/presentation/masking.ts', 18_000],
  ['shared/domain/rules/format.ts', 18_000],
  ['shared/platform/', OPERATORS_OWN],
  ['shared/db/', OPERATORS_OWN],
  ['shared/store/', OPERATORS_OWN],
  // A one-line message.
  ['worker/retry-policy.ts', 65_536],
];

/** Length of the longest text that a pattern of the file can get. */
export function longestInput(file: string): number {
  return LONGEST.find(([place]) => file.startsWith(place))?.[1] ?? BODY_BYTES_MAX;
}
