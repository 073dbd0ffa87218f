import ipaddr from 'ipaddr.js';

/** RFC 6761, 6762 (appendix G), 8375, 9476, and names of routers and clusters. Never public. */
const privateSuffixes = [
  'localhost',
  'localhost4',
  'localhost6',
  'localdomain',
  'localdomain4',
  'localdomain6',
  'local',
  'internal',
  'intranet',
  'private',
  'lan',
  'home',
  'corp',
  'home.arpa',
  'svc',
  'test',
  'invalid',
  'onion',
  'alt',
];

/** Azure's platform: every machine there reaches it by this public address. */
const azurePlatform = '168.63.129.16';

/**
 * Whether a host is not public: a private address in any spelling, a local name, or a name without
 * a dot. What a public name resolves to is checked by the fetch of `@repertoire/skill-http/node`.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (ipaddr.isValid(host)) return !isPublicAddress(host);
  return !host.includes('.') || privateSuffixes.some((suffix) => host.endsWith(`.${suffix}`));
}

/**
 * Whether an IP address is public. Private and reserved addresses are not, also in an IPv6 form.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || parsed.toString() === azurePlatform) return false;
  // Of IPv6, only 2000::/3 is given out (IANA).
  return parsed.kind() === 'ipv4' || (parsed.toByteArray()[0] ?? 0) >> 5 === 0b001;
}
