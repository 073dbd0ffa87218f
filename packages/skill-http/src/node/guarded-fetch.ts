import { lookup as systemLookup, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { Agent, fetch as undiciFetch } from 'undici';
import { isPrivateHost, isPublicAddress } from '../http/is-private-host.ts';

/** An address that a name resolves to. */
export interface ResolvedAddress {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/** Asks for all addresses of a name, as `dns.lookup` does. */
export type LookupAll = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: Error | null, addresses: readonly ResolvedAddress[]) => void,
) => void;

/** Options of {@link guardedFetch}. */
export interface GuardedFetchOptions {
  /** Milliseconds for a connection. @default 10_000 */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * Which addresses may be connected to, for hosts that read from a network of their own: a
   * predicate over the address as text. The provider needs `allowPrivateAddresses` then.
   * @default those of the public internet
   */
  readonly allowAddress?: ((address: string) => boolean) | undefined;
  /** Resolves names. @default dns.lookup */
  readonly lookup?: LookupAll | undefined;
}

const knownOptions: OptionRules<GuardedFetchOptions> = {
  connectTimeoutMs: 'number',
  allowAddress: '()',
  lookup: '()',
};

/** A fetch of its own connections; dispose it to close them. */
export interface GuardedFetch {
  (request: Request): Promise<Response>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Returns a fetch that connects to public addresses only. It looks at what a name resolves to at
 * the moment of connecting, refuses the name where any of its addresses is private, and connects to
 * one of those that it looked at. So a name cannot resolve to something else between the check and
 * the use (DNS rebinding). Proxies of the environment are not used, and redirects are not followed.
 *
 * Rejects with a `SkillError` `permission-denied` for what is not public.
 *
 * @example
 * ```ts
 * import { httpSkillProvider } from '@repertoire/skill-http';
 * import { guardedFetch } from '@repertoire/skill-http/node';
 *
 * export const provider = httpSkillProvider({ label: 'acme', url: 'https://skills.acme.example', fetch: guardedFetch() });
 * ```
 */
export function guardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  assertKnownOptions('guardedFetch', options, knownOptions);
  const { connectTimeoutMs = 10_000, allowAddress, lookup = systemLookup } = options;
  const isAllowed = allowAddress ?? isPublicAddress;
  const agent = new Agent({ connect: { timeout: connectTimeoutMs, lookup: guardedLookup(lookup, isAllowed) } });
  const send = async (request: Request): Promise<Response> => {
    const hostname = new URL(request.url).hostname.replace(/^\[|\]$/g, '');
    // A host that is an IP address is never looked up, so it is checked here.
    const isRefused = isIP(hostname) === 0 ? allowAddress === undefined && isPrivateHost(hostname) : !isAllowed(hostname);
    if (isRefused) throw refused(hostname, hostname);
    try {
      // The `fetch` of this undici: that of Node.js does not accept an agent of another version.
      const response = await undiciFetch(request.url, {
        method: request.method,
        headers: Object.fromEntries(request.headers),
        redirect: 'manual',
        signal: request.signal,
        dispatcher: agent,
      });
      return response as unknown as Response;
    } catch (error) {
      if (error instanceof Error && SkillError.isInstance(error.cause)) throw error.cause;
      throw error;
    }
  };
  return Object.assign(send, {
    async [Symbol.asyncDispose]() {
      await agent.close();
    },
  });
}

type LookupCallback = (error: Error | null, address: string | ResolvedAddress[], family?: number) => void;

function guardedLookup(
  lookup: LookupAll,
  isAllowed: (address: string) => boolean,
): (hostname: string, options: LookupOptions, callback: LookupCallback) => void {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = error === null ? addresses : [];
      const blocked = error === null ? addresses.find(({ address }) => !isAllowed(address)) : undefined;
      if (error !== null) callback(error, []);
      else if (blocked !== undefined) callback(refused(hostname, blocked.address), []);
      else if (first === undefined) callback(new Error(`${hostname} has no address.`), []);
      else if (options.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

function refused(hostname: string, address: string): SkillError {
  const which = hostname === address ? '' : ` (it resolves to ${address})`;
  return new SkillError(
    'permission-denied',
    `[skill-http] ${hostname} is not connected to: it is not on the public internet, or not allowed${which}.`,
  );
}
