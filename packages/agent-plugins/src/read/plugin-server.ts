/** A program on this machine. Texts are as written: nothing is expanded yet. */
export interface PluginStdioServer {
  readonly type: 'stdio';
  /** One token: a bare name, or a path that begins with `./`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** @default the root of the plugin */
  readonly cwd?: string | undefined;
}

/** A server on the web, or on this machine behind HTTP. */
export interface PluginHttpServer {
  readonly type: 'streamable-http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A server of an `mcp.json` that satisfies the standard. */
export type PluginServer = PluginStdioServer | PluginHttpServer;
