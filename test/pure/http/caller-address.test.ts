import type { IncomingMessage } from 'node:http';
import {
  isAllowedAddress,
  limitedNetwork,
  makeFindCallerAddress,
} from '../../../api/auth/caller-address.ts';

function find(
  remoteAddress: string | undefined,
  forwarded: string | undefined,
  trusted: readonly string[],
): string | undefined {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = { headers, socket: { remoteAddress } };
  return makeFindCallerAddress(trusted)(request as unknown as IncomingMessage);
}

const PROXIES = ['10.0.0.0/8', '2001:db8:ffff::1'];

describe('the address of a caller', () => {
  it.each([
    ['the socket’s address without a trusted proxy', '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['the socket’s address if a trusted proxy reports none', '10.0.0.1', undefined, '10.0.0.1'],
    ['the last reported address', '10.0.0.1', '203.0.113.1, 203.0.113.9', '203.0.113.9'],
    ['the address before trusted proxies', '10.0.0.1', '203.0.113.9, 10.2.0.1', '203.0.113.9'],
    [
      'the address before a trusted proxy with a port',
      '10.0.0.1',
      '203.0.113.9, 10.2.0.1:99',
      '203.0.113.9',
    ],
    ['the first address if all are trusted', '10.0.0.1', '10.3.0.1,10.2.0.1', '10.3.0.1'],
    ['reported by a proxy of IPv6', '2001:db8:ffff::1', '203.0.113.9', '203.0.113.9'],
    ['reported by a proxy of mapped IPv4', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['with a port', '10.0.0.1', '203.0.113.9:40312', '203.0.113.9'],
    ['IPv6 with a port', '10.0.0.1', '[2001:db8::9]:443', '2001:db8::9'],
    ['IPv6 in brackets', '10.0.0.1', '[2001:db8::9]', '2001:db8::9'],
    ['in canonical form', '10.0.0.1', '2001:DB8:0:0:0:0:0:9', '2001:db8::9'],
    ['IPv4 that is written as IPv6', '10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['IPv4 in hexadecimal', '10.0.0.1', '::FFFF:cb00:7109', '203.0.113.9'],
    ['mapped IPv4 with a port', '10.0.0.1', '[::ffff:203.0.113.9]:1', '203.0.113.9'],
    ['without its zone', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['found after empty entries are skipped', '10.0.0.1', '203.0.113.9, ,', '203.0.113.9'],
    ['the socket’s address if the header is empty', '10.0.0.1', ' ', '10.0.0.1'],
  ])('is %s', (_what, socket, forwarded, address) => {
    expect(find(socket, forwarded, PROXIES)).toBe(address);
  });

  it.each([
    ['is a word', 'unknown'],
    ['is hidden', '_hidden'],
    ['is not an IPv4 address', '203.0.113.999'],
    ['has leading zeros', '203.0.113.009'],
    ['has an invalid port', '203.0.113.9:http'],
    ['is IPv6 with a port but no brackets', '2001:db8::1:2:3:4:5:6:443'],
    ['has half a bracket', '[2001:db8::9'],
    ['is quoted', '"203.0.113.9"'],
    ['is a trusted proxy and the entry before is a word', '203.0.113.9, unknown, 10.2.0.1'],
  ])('is unknown when the last proxy reported %s', (_what, forwarded) => {
    expect(find('10.0.0.1', forwarded, PROXIES)).toBeUndefined();
  });

  it('is unknown after the caller has disconnected', () => {
    expect(find(undefined, '203.0.113.9', PROXIES)).toBeUndefined();
  });

  it('is found behind a proxy that is configured as mapped IPv4', () => {
    for (const proxies of [['::ffff:10.0.0.1'], ['::ffff:10.0.0.0/104']]) {
      expect(find('10.0.0.1', '203.0.113.9', proxies)).toBe('203.0.113.9');
    }
    expect(find('11.0.0.1', '203.0.113.9', ['::ffff:10.0.0.0/104'])).toBe('11.0.0.1');
  });
});

describe('an allowlist', () => {
  it('of only IPv6 addresses admits no IPv4 address', () => {
    expect(isAllowedAddress('2001:db8::1', ['::/0'])).toBe(true);
    expect(isAllowedAddress('203.0.113.9', ['::/0'])).toBe(false);
  });
});

describe('a limit by address', () => {
  it('counts IPv4 addresses one by one', () => {
    expect(limitedNetwork('203.0.113.9')).toBe('203.0.113.9');
  });

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['2001:db8::5:6:7', '2001:db8:0:0::/64'],
    ['2001:0:0:1::9', '2001:0:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
  ])('counts %s by its /64', (address, network) => {
    expect(limitedNetwork(address)).toBe(network);
  });
});
