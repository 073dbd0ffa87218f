/** A file of a fixture: text, bytes, or a link. */
export type PluginFixtureFile = string | Uint8Array | { readonly link: string };

/**
 * Files to write before a client loads the plugin. Paths below `plugin/` are the plugin; all others
 * lie beside it, and nothing of them may ever be read. A link is relative to the folder that it
 * lies in.
 */
export type PluginFixture = Readonly<Record<string, PluginFixtureFile>>;

/** A program that a client would start. */
export interface ClientStdioServer {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** At least what the standard demands, `PLUGIN_ROOT` and `PLUGIN_DATA` among it. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A remote server that a client would contact. */
export interface ClientRemoteServer {
  readonly type: 'streamable-http' | 'sse';
  readonly url: string;
  /** The headers of a request to `target` if the client makes `own`. Names are in lower case. */
  headersFor(target: string, own: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
}

/** What a client made of a plugin. */
export interface PluginClientAnswer {
  /** `false` if the plugin is refused. */
  readonly loaded: boolean;
  readonly skills: readonly string[];
  readonly servers: Readonly<Record<string, ClientStdioServer | ClientRemoteServer>>;
  /** Whatever the client reports to a person: one text for each. */
  readonly reported: readonly string[];
}

/** Writes the fixture, loads `plugin`, and says what came of it. Starts and contacts nothing. */
export type PluginClient = (fixture: PluginFixture) => Promise<PluginClientAnswer>;
