import type { McpConnection } from '../connection/mcp-connection.ts';
import { mcpConnection, type McpClientLike } from '../connection/official-client.ts';
import { skillsExtensionId } from '../protocol/skills-extension.ts';
import { mcpCall, startOfMessage, unavailable, type McpCall } from './mcp-call.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';

/** What belongs to one connection. */
export interface McpSession {
  readonly connection: McpConnection;
  readonly call: McpCall;
}

/** The connections of a provider: one at a time, of a client that the host may replace. */
export class McpSessions {
  readonly #settings: McpSkillSettings;
  readonly #onOther: () => void;
  readonly #known = new WeakMap<object, McpSession>();
  #current: McpSession | undefined;

  /** @param onOther called if a session follows another one */
  constructor(settings: McpSkillSettings, onOther: () => void) {
    this.#settings = settings;
    this.#onOther = onOther;
  }

  /**
   * The connection of the host's client, at once if the host passed a client and no function.
   *
   * @throws {SkillError} `source-unavailable`, or a rejection with it, if there is no client
   */
  connection(): McpConnection | Promise<McpConnection> {
    const { client } = this.#settings;
    return typeof client === 'function' ? this.connect().then(({ connection }) => connection) : this.#sessionOf(client).connection;
  }

  async connect(): Promise<McpSession> {
    const { client: given, label } = this.#settings;
    if (typeof given !== 'function') return this.#sessionOf(given);
    let client: McpClientLike | McpConnection;
    try {
      client = await given();
    } catch (cause) {
      throw unavailable(label, `no client: ${startOfMessage(cause)}`, cause);
    }
    return this.#sessionOf(client);
  }

  /** What the server says of the skills extension. `undefined` if it does not have it. */
  extensionOf({ connection }: McpSession): Readonly<Record<string, unknown>> | undefined {
    try {
      return connection.extension(skillsExtensionId);
    } catch (cause) {
      throw unavailable(this.#settings.label, startOfMessage(cause), cause);
    }
  }

  #sessionOf(client: McpClientLike | McpConnection): McpSession {
    const known = this.#known.get(client);
    if (known !== undefined && known === this.#current) return known;
    const connection = isConnection(client) ? client : mcpConnection(client);
    const next = known ?? { connection, call: mcpCall(connection, this.#settings) };
    this.#known.set(client, next);
    const isOther = this.#current !== undefined;
    this.#current = next;
    if (isOther) this.#onOther();
    return next;
  }
}

function isConnection(client: McpClientLike | McpConnection): client is McpConnection {
  return 'extension' in client && typeof client.extension === 'function';
}
