import type { McpServer } from '@modelcontextprotocol/server';
import type { SkillDiagnostic, SkillProvider } from '@repertoire/skills-core';
import { assertKnownOptions } from '@repertoire/skills-core/internal';
import type { PrimeOptions } from './prime-options.ts';
import { knownServeOptions, type ServeSkillsOverMcpOptions } from './serve-skills-over-mcp-options.ts';
import { SkillPublisher } from './skill-publisher.ts';

/** Skills that are served on a server. */
export interface ServedSkills {
  /** Notifies clients of a change, for a provider without `watch`. */
  changed(): void;
  /**
   * Reads everything that is published, so that no client has to wait. Call it before the server
   * connects.
   *
   * @throws {SkillError} if the provider does not answer
   */
  prime(options?: PrimeOptions): Promise<void>;
  /** What is not published. Reads the skills if nobody has requested them yet. */
  diagnostics(): Promise<readonly SkillDiagnostic[]>;
  /** Stops watching the provider. Server and provider stay open; they belong to the host. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves the skills of any provider on a server of the official SDK
 * (`@modelcontextprotocol/server`), by the MCP Skills extension. Call it before you connect the
 * server to a transport. Clients are notified of changes if the provider can `watch`.
 *
 * Nothing is read before a client asks, unless `prime` is called. Then each file of the requested
 * skills is read once for its digest. Every file is served byte for byte as its author wrote it,
 * including `SKILL.md`.
 *
 * Each skill also has a `_manifest` like that of FastMCP's skills provider, and its `SKILL.md` is
 * listed as a resource, so that clients without the extension find it. With `exposeTools`, any
 * client can use the skills.
 *
 * Diagnostics: `skills-not-published` (warning: how many, in one line), `skill-not-published`
 * (error), `skill-not-standard` (warning: published by `profile: 'lenient'`),
 * `skill-version-changed`, `listing-incomplete`, `prompt-not-offered` (warnings), and the errors of
 * the provider's own listing.
 *
 * @throws {SkillError} `invalid-options`; with `exposeTools`, what the provider's `listSkills`
 *   rejects with
 * @throws if the server is already connected, or serves skills by other means
 * @example Over stdio
 * ```ts
 * import { McpServer } from '@modelcontextprotocol/server';
 * import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
 * import { serveSkillsOverMcp } from '@repertoire/skill-mcp/server';
 * import { defineSkill, SkillRegistry } from '@repertoire/skills-core';
 *
 * const provider = new SkillRegistry({ skills: [defineSkill({ name: 'haiku', description: 'Writes haiku.', body: 'Five, seven, five.' })] });
 * const server = new McpServer({ name: 'my-skills', version: '1.0.0' });
 * await serveSkillsOverMcp(server, provider, { exposeTools: true });
 * await server.connect(new StdioServerTransport());
 * ```
 */
export async function serveSkillsOverMcp(
  server: McpServer,
  provider: SkillProvider,
  options: ServeSkillsOverMcpOptions = {},
): Promise<ServedSkills> {
  assertKnownOptions('serveSkillsOverMcp', options, knownServeOptions);
  const publisher = new SkillPublisher(provider, options, 'serveSkillsOverMcp');
  const prompts = publisher.attach(server);
  const forget = publisher.onChange(() => {
    // The connection may end at any moment; then there is nobody to notify.
    if (server.isConnected()) void Promise.resolve(server.server.sendResourceListChanged()).catch(() => {});
    void prompts?.refresh().catch(() => {});
  });
  try {
    await prompts?.refresh();
  } catch (error) {
    forget();
    throw error;
  }
  return {
    changed: () => publisher.changed(),
    prime: (primeOptions) => publisher.prime(primeOptions),
    diagnostics: async () => [...(await publisher.diagnostics()), ...(prompts?.diagnostics() ?? [])],
    async [Symbol.asyncDispose]() {
      forget();
    },
  };
}
