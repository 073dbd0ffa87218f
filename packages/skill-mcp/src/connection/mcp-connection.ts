/** Options of one request. */
export interface McpRequestOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The part of an MCP client that is needed: sending requests, and receiving a notification when
 * resources change. `mcpSkillProvider` adapts a `Client` of `@modelcontextprotocol/client` itself.
 * `mcpConnectionV1` and `resourceConnection` adapt other clients. Write your own for any other.
 */
export interface McpConnection {
  /**
   * The settings that the server declared for an extension, such as `{ directoryRead: true }`;
   * `undefined` if it declared none.
   * @throws if it is not connected
   */
  extension(id: string): Readonly<Record<string, unknown>> | undefined;
  /** Sends a request. Rejects with the JSON-RPC `code` if the server answers with an error. */
  request(method: string, params: Readonly<Record<string, unknown>>, options?: McpRequestOptions): Promise<unknown>;
  /**
   * Listens for `notifications/resources/list_changed`. @returns a function that stops listening
   */
  onResourcesChanged?(listener: McpChangeListener): () => void;
}

/** Receives notifications about changes. */
export interface McpChangeListener {
  /** Something changed. */
  changed(): void;
  /** Called when notifications are being received. It need not be called if that is immediately. */
  ready(): void;
  /** No further notifications will come: the stream ended or could not be opened. */
  ended(): void;
}
