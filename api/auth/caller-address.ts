import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net';
import { AppError } from '../../shared/contract/errors.ts';
import type { ApiClientRow } from '../../shared/store/access/clients.ts';
import type { RequestContext } from '../http/request-context.ts';

/** Undefined when the caller has disconnected, or a trusted proxy reports something that is not an address. */
export type FindCallerAddress = (request: IncomingMessage) => string | undefined;

/**
 * Makes the function that finds the caller's address: the socket's address, or the one that trusted proxies report in
 * X-Forwarded-For (TRUSTED_PROXIES; D19). Entries are read from the last one backwards, as long as they are trusted proxies.
 * A proxy may append a port. Addresses are returned in canonical form, and an IPv4 address never as IPv6.
 */
export function makeFindCallerAddress(trustedProxies: readonly string[]): FindCallerAddress {
  const trusted = { 4: blockListOf(trustedProxies, 4), 6: blockListOf(trustedProxies, 6) };
  const isTrusted = (address: string): boolean =>
    isIPv4(address) ? trusted[4].check(address, 'ipv4') : trusted[6].check(address, 'ipv6');
  return (request) => {
    let address = readAddress(request.socket.remoteAddress ?? '');
    if (address === undefined || !isTrusted(address)) return address;
    for (const entry of reportedOf(request).reverse()) {
      address = readAddress(entry);
      if (address === undefined || !isTrusted(address)) return address;
    }
    return address;
  };
}

/** @throws {AppError} IP_NOT_ALLOWED when the caller's address is unknown; the proxy's address is not the caller's. */
export function requireAddress({ address }: RequestContext): string {
  if (address !== undefined) return address;
  throw new AppError('IP_NOT_ALLOWED', 'a trusted proxy reports no address', {
    message:
      'Your address cannot be told: the last entry of X-Forwarded-For is not an IP address. The proxy in front must append the address that it sees.',
  });
}

/** @throws {AppError} IP_NOT_ALLOWED (api.md, "Machine API", 5) */
export function requireAllowedAddress(
  { clientId, ipAllowlist }: Pick<ApiClientRow, 'clientId' | 'ipAllowlist'>,
  address: string,
): void {
  if (isAllowedAddress(address, ipAllowlist)) return;
  throw new AppError('IP_NOT_ALLOWED', `${address} is not on the allowlist of ${clientId}`, {
    message: `Your address, ${address}, is not on the allowlist of the client.`,
  });
}

/** An empty allowlist allows every address. Entries are addresses or CIDR blocks; an invalid entry allows nothing. */
export function isAllowedAddress(address: string, allowlist: readonly string[]): boolean {
  if (allowlist.length === 0) return true;
  const version = isIP(address);
  if (version !== 4 && version !== 6) return false;
  return blockListOf(allowlist, version).check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * The network that a limit by address counts as one: an IPv4 address, or the /64 of an IPv6 address, because one caller can
 * use all addresses of a /64. `address` is in the form that `makeFindCallerAddress` returns.
 */
export function limitedNetwork(address: string): string {
  if (isIPv4(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':');
}

/** The entries of X-Forwarded-For; the last one is from the nearest proxy. Empty entries do not count (RFC 9110, 5.6.1). */
function reportedOf(request: IncomingMessage): string[] {
  return [request.headers['x-forwarded-for'] ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/;

/** Accepts an address, `ip:port`, `[v6]` or `[v6]:port`, and drops a zone. Undefined for anything else. */
function readAddress(text: string): string | undefined {
  const [, v4, v6] = WITH_PORT.exec(text) ?? [];
  const address = (v4 ?? v6 ?? text).split('%', 1)[0] ?? '';
  const version = isIP(address);
  if (version === 4) return address;
  if (version !== 6) return undefined;
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(canonical)?.[1] ?? canonical;
}

/** The list has entries of one IP version only, because BlockList matches every IPv4 address with `::/0`. */
function blockListOf(entries: readonly string[], version: 4 | 6): BlockList {
  const list = new BlockList();
  const family = version === 4 ? 'ipv4' : 'ipv6';
  for (const entry of entries) {
    const [written = '', length] = entry.trim().split('/');
    const network = readAddress(written);
    if (network === undefined || isIP(network) !== version) continue;
    if (length === undefined) {
      list.addAddress(network, family);
      continue;
    }
    const isMapped = version === 4 && isIP(written) === 6;
    const bits = prefixLength(length, version, isMapped ? MAPPED_BITS : 0);
    if (bits !== undefined) list.addSubnet(network, bits, family);
  }
  return list;
}

/** The bits before the IPv4 address in an IPv6 address that contains one. */
const MAPPED_BITS = 96;

function prefixLength(text: string, version: 4 | 6, less: number): number | undefined {
  const bits = /^\d{1,3}$/.test(text) ? Number(text) - less : -1;
  return bits >= 0 && bits <= (version === 4 ? 32 : 128) ? bits : undefined;
}
