import { strict as assert } from 'node:assert';
import { SIGNATURE_VECTORS, SIGNATURE_VECTORS_FILE } from '../../pure/vectors/signature-vectors.ts';
import type { Check } from './check.ts';

export const SIGNATURE_CHECKS: readonly Check[] = [
  {
    name: 'signs the test vectors',
    run: async (client) => {
      const signatures = await client.sign(SIGNATURE_VECTORS_FILE);
      const { cases } = SIGNATURE_VECTORS;
      const wrong = cases.filter(({ signature }, index) => signatures[index] !== signature);
      assert.deepEqual(
        wrong.map(({ name }) => name),
        [],
      );
      assert.equal(signatures.length, cases.length);
    },
  },
];
