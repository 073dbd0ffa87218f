import ipaddr from 'ipaddr.js';

const privateSuffixes = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'home.arpa'];

/**
 * Whether a host, as `URL.hostname` spells it, is no public one: an address outside the public ranges in any spelling, a name of a local network, or a
 * name without a dot. What a public name resolves to is not known here; the fetch of `@repertoire/skill-http/node` looks at that.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (ipaddr.isValid(host)) return !isPublicAddress(host);
  return !host.includes('.') || privateSuffixes.some((suffix) => host.endsWith(`.${suffix}`));
}

/** Whether an IP address is one of the public internet: not private, loopback, link-local, shared, multicast, reserved, or one of those in disguise. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}
