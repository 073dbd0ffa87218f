import { createMcpHandler, isLegacyRequest, McpServer } from '@modelcontextprotocol/server';
import type { SkillDiagnostic, SkillProvider } from '@repertoire/skills-core';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { LegacySessions } from './legacy-sessions.ts';
import type { PrimeOptions } from './prime-options.ts';
import { knownServeOptions, type ServeSkillsOverMcpOptions } from './serve-skills-over-mcp-options.ts';
import { SkillPublisher } from './skill-publisher.ts';

/** Options of {@link createMcpSkillsHandler}. */
export interface McpSkillsHandlerOptions extends ServeSkillsOverMcpOptions {
  /** Name and version that the server reports. @default { name: 'skills', version: '0.0.0' } */
  readonly serverInfo?: { readonly name: string; readonly version: string } | undefined;
  /**
   * What clients of protocol 2025-11-25 and earlier get. `stateless`: each request is independent
   * and there are no notifications; use it if requests of one client reach different machines.
   * `session`: a session in memory, with notifications. Clients of 2026-07-28 need no session and
   * subscribe to changes in both modes.
   * @default 'stateless'
   */
  readonly legacy?: 'stateless' | 'session' | undefined;
  /**
   * Maximum number of sessions. At the limit, a new client takes the place of a session that was
   * never used after it began, or else of one that was not used for ten minutes. If there is
   * neither, it gets status 503. So a flood of new sessions ends nobody's work.
   * @default 1_000
   */
  readonly maxSessions?: number | undefined;
}

/** A handler for streamable HTTP, in the form of the Fetch API. */
export interface McpSkillsHandler {
  /** Handles a request. The handler can be the default export of a Worker. */
  fetch(request: Request): Promise<Response>;
  /** Notifies clients of a change, for a provider without `watch`. */
  changed(): void;
  /**
   * Reads everything that is published, so that no client has to wait. Call it before the server
   * listens.
   *
   * @throws {SkillError} if the provider does not answer
   */
  prime(options?: PrimeOptions): Promise<void>;
  /** Diagnostics for everything that is not published. */
  diagnostics(): Promise<readonly SkillDiagnostic[]>;
  /** Closes all sessions and subscriptions, and stops watching the provider. */
  [Symbol.asyncDispose](): Promise<void>;
}

const defaultMaxSessions = 1_000;
const knownOptions: OptionRules<McpSkillsHandlerOptions> = {
  ...knownServeOptions,
  serverInfo: '{}',
  legacy: { stateless: true, session: true },
  maxSessions: 'number',
};

/**
 * Publishes the skills of any provider over streamable HTTP, for both eras of the protocol. It runs
 * in Node.js (with `toNodeHandler` of `@modelcontextprotocol/node`), Workers, Deno and Bun.
 *
 * It does not authenticate. Put your own check before it. For a server on a developer's machine,
 * also check `Host` and `Origin`, as the SDK does.
 *
 * @throws {SkillError} `invalid-options`
 * @example A Worker
 * ```ts
 * import { createMcpSkillsHandler } from '@repertoire/skill-mcp/server';
 * import { defineSkill, SkillRegistry } from '@repertoire/skills-core';
 *
 * const provider = new SkillRegistry({ skills: [defineSkill({ name: 'haiku', description: 'Writes haiku.', body: 'Five, seven, five.' })] });
 * export default createMcpSkillsHandler(provider, { exposeTools: true });
 * ```
 */
export function createMcpSkillsHandler(provider: SkillProvider, options: McpSkillsHandlerOptions = {}): McpSkillsHandler {
  assertKnownOptions('createMcpSkillsHandler', options, knownOptions);
  const publisher = new SkillPublisher(provider, options, 'createMcpSkillsHandler');
  const serverInfo = options.serverInfo ?? { name: 'skills', version: '0.0.0' };
  const makeServer = (): McpServer => {
    const server = new McpServer({ ...serverInfo });
    publisher.attachAlone(server);
    return server;
  };
  const handler = createMcpHandler(makeServer);
  const sessions = new LegacySessions(makeServer, options.maxSessions ?? defaultMaxSessions);

  // From the first request on: a Worker module must not start work at the top level.
  let forget: (() => void) | undefined;
  const tell = (): void => {
    handler.notify.resourcesChanged();
    if (publisher.exposesTools) handler.notify.promptsChanged();
    for (const server of sessions.servers()) {
      // A session may end at any moment; then there is nobody to notify.
      void Promise.resolve(server.server.sendResourceListChanged()).catch(() => {});
      if (publisher.exposesTools) void Promise.resolve(server.server.sendPromptListChanged()).catch(() => {});
    }
  };

  return {
    async fetch(request) {
      forget ??= publisher.onChange(tell);
      return options.legacy === 'session' && (await isLegacyRequest(request))
        ? await sessions.handle(request)
        : await handler.fetch(request);
    },
    changed: () => publisher.changed(),
    prime: (primeOptions) => publisher.prime(primeOptions),
    diagnostics: () => publisher.diagnostics(),
    async [Symbol.asyncDispose]() {
      forget?.();
      await sessions.close();
      await handler.close();
    },
  };
}
