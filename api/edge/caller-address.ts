import { BlockList, isIP } from 'node:net';
import type { Request } from 'express';

/**
 * The caller's address: the socket's, or what trusted proxies report (TRUSTED_PROXIES, the app's `trust proxy`; D19).
 * IPv4 is never shown as IPv6. What a proxy reports and isn't an address doesn't count: the socket's stands.
 */
export function callerAddress(request: Request): string {
  const reported = plainAddress(request.ip ?? '');
  return isIP(reported) === 0 ? plainAddress(request.socket.remoteAddress ?? '') : reported;
}

/** An empty allowlist admits every address. Entries are addresses or CIDR blocks; one that is neither admits nobody. */
export function isAllowedAddress(address: string, allowlist: readonly string[]): boolean {
  if (allowlist.length === 0) return true;
  const version = isIP(address);
  if (version === 0) return false;
  return blockListOf(allowlist).check(address, version === 4 ? 'ipv4' : 'ipv6');
}

function blockListOf(allowlist: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of allowlist) {
    const [network = '', bits] = entry.trim().split('/');
    const version = isIP(network);
    if (version === 0) continue;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(network, family);
    else if (isPrefixLength(bits, version)) list.addSubnet(network, Number(bits), family);
  }
  return list;
}

function isPrefixLength(bits: string, version: number): boolean {
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
