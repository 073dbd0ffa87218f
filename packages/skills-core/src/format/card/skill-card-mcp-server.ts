/** An MCP server, reached by an adapter and only for trusted sources. */
export type SkillCardMcpServer = SkillCardStdioServer | SkillCardHttpServer;

/** An MCP server that runs as a process of the host. */
export interface SkillCardStdioServer {
  readonly id: string;
  readonly version?: string | undefined;
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Environment of the process, verbatim: nothing is substituted. */
  readonly env: Readonly<Record<string, string>>;
  /** Working directory. */
  readonly cwd?: string | undefined;
  readonly other?: Readonly<Record<string, unknown>> | undefined;
}

/** An MCP server that is reached over HTTP. */
export interface SkillCardHttpServer {
  readonly id: string;
  readonly version?: string | undefined;
  readonly transport: 'sse' | 'streamable-http';
  /** Absolute, `http:` or `https:`. */
  readonly url: string;
  /** Headers of each request, verbatim: nothing is substituted. */
  readonly headers: Readonly<Record<string, string>>;
  readonly other?: Readonly<Record<string, unknown>> | undefined;
}
