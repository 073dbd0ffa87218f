/** Options of one request. */
export interface McpRequestOptions {
  /** Gives the request up. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The part of an MCP client that is needed: sending requests, and being notified when resources change. `mcpConnection`, `mcpConnectionV1` and `resourceConnection` make one of
 * the clients that are out there; write one for any other.
 */
export interface McpConnection {
  /**
   * The settings that the connected server declared for an extension, such as `{ directoryRead: true }`; `undefined` where it declared none.
   * @throws where it is not connected
   */
  extension(id: string): Readonly<Record<string, unknown>> | undefined;
  /** Sends a request and gives the result as it came, unchecked. Rejects with an error that has the `code` of JSON-RPC where the server answered with one. */
  request(method: string, params: Readonly<Record<string, unknown>>, options?: McpRequestOptions): Promise<unknown>;
  /**
   * Listens for `notifications/resources/list_changed`. Absent where the client cannot tell.
   * @returns what ends it; it may be called twice
   */
  onResourcesChanged?(listener: McpChangeListener): () => void;
}

/** Who is told of changes. */
export interface McpChangeListener {
  /** Something changed. */
  changed(): void;
  /** Called once changes are received. It need not be called if that is immediately. */
  ready(): void;
  /** No further notifications: the stream ended, or could not be opened. */
  ended(): void;
}
