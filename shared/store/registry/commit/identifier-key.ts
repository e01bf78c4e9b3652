import { hash } from 'node:crypto';
import { identifierText, type KindAndValue } from '../../../domain/identifiers.ts';

const KEY_HEX_DIGITS = 16;

/**
 * The primary key of an identifier: the first 64 bits of SHA-256 over kind and value, as a signed decimal. SHA-256 makes it
 * infeasible to construct two identifiers with one key. Among 100 million identifiers a collision by chance has a probability of
 * about 1 in 3,700.
 */
export function identifierKey(identifier: KindAndValue): string {
  const digest = hash('sha256', identifierText(identifier), 'hex');
  return BigInt.asIntN(64, BigInt(`0x${digest.slice(0, KEY_HEX_DIGITS)}`)).toString();
}
