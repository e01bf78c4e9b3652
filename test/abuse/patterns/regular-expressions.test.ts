import { STAFF_BODY_BYTES_MAX } from '../../../shared/contract/admin/admin-endpoint.ts';
import { ADMIN_ENDPOINTS } from '../../../shared/contract/admin-endpoints.ts';
import * as amendment from '../../../shared/contract/amendment.ts';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';
import { BODY_BYTES_MAX } from '../../../shared/contract/transmission.ts';
import { findWorst } from './adversary.ts';
import { findInSchema, findInSource } from './regular-expressions.ts';

const LIMIT_MS = 5;

/** All that comes in a header, the request line with it (api/listen.ts). */
const HEADERS = 16_384;

/** Files whose patterns meet no text as long as the largest body, and how long theirs can be. */
const LONGEST: Readonly<Record<string, number>> = {
  'api/edge/admit-credentials.ts': HEADERS,
  'api/edge/admit-submitter.ts': HEADERS,
  'api/edge/prefer.ts': HEADERS,
  'api/edge/staff-cookies.ts': HEADERS,
  // What the schema let through: 1,000 characters, of which NFKC makes up to 18 each.
  'shared/domain/identifiers.ts': 18_000,
  'shared/domain/masking.ts': 18_000,
  'shared/domain/validation/format.ts': 18_000,
  // Ours or the operator's own: a setting, a code that a person types, the log of one start.
  'client/registry-client.ts': 256,
  'shared/platform/config.ts': 64,
  'shared/store/recovery-codes.ts': 64,
  'shared/platform/embedded-postgres.ts': 1_024,
  // A record of the file, and a message of one line.
  'worker/read-reference-file.ts': 65_536,
  'worker/failure-reason.ts': 65_536,
};

const { literals, made } = findInSource();
const inSchemas = [
  ...findInSchema([ENDPOINTS, amendment]).map((pattern) => ({ pattern, longest: BODY_BYTES_MAX })),
  ...findInSchema(ADMIN_ENDPOINTS).map((pattern) => ({ pattern, longest: STAFF_BODY_BYTES_MAX })),
];

it('the regular expressions of the product are all found', () => {
  expect(literals.length).toBeGreaterThan(40);
  expect(inSchemas.map(({ pattern }) => String(pattern))).toContain(
    String(/^[A-Z0-9]+(?:-[A-Z0-9]+)*$/),
  );
  // Groups of a fixed length in a code that we made.
  expect(made).toEqual(['shared/store/recovery-codes.ts']);
});

describe('a regular expression decides under 5 ms of CPU time at its longest input', () => {
  it.each(literals.map(({ file, pattern }) => [file, String(pattern), pattern] as const))(
    '%s: %s',
    (file, _written, pattern) => {
      const worst = findWorst(pattern, LONGEST[file] ?? BODY_BYTES_MAX, LIMIT_MS);
      expect({ ...worst, isFast: worst.milliseconds < LIMIT_MS }).toMatchObject({ isFast: true });
    },
  );

  it.each(inSchemas.map(({ pattern, longest }) => [String(pattern), pattern, longest] as const))(
    'in a schema: %s',
    (_written, pattern, longest) => {
      const worst = findWorst(pattern, longest, LIMIT_MS);
      expect({ ...worst, isFast: worst.milliseconds < LIMIT_MS }).toMatchObject({ isFast: true });
    },
  );
});
