import { makeBody } from '../api/bodies.ts';
import type { Stack } from '../api/stack.ts';

/** Parts of the personal data in `makeBody`, which masked answers must not contain. */
const PERSONAL = ['123-456-789', 'maria.santos', '917 555'];

export function personalDataIn(text: string): string[] {
  return PERSONAL.filter((value) => text.includes(value));
}

/** Registers a certificate that the insurer itself transmits, and returns its references. */
export async function registerAs(
  stack: Stack,
  insurerCode: 'INS-ALPHA' | 'INS-BRAVO',
  changes: Parameters<typeof makeBody>[0] = {},
) {
  const body = makeBody({ issuingInsurerCode: insurerCode, ...changes });
  const client = insurerCode === 'INS-BRAVO' ? 'bravo' : 'alpha';
  const { acknowledgment } = await stack.transmit(client, body);
  const { registryReference, transmissionReference } = acknowledgment;
  return {
    body,
    acknowledgment,
    transmissionReference,
    registryReference: registryReference ?? '',
  };
}
