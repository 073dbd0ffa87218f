/** What is known about a run of a graph. */
export interface SkillsRun {
  /** `context` of the call. Middleware sees it only with the option `contextSchema`. */
  readonly context: unknown;
  /** `configurable` of the call, with `thread_id`. */
  readonly configurable: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
}

interface RunConfig {
  readonly context?: unknown;
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The run of a configuration or runtime of the framework. */
export function runOf(config: unknown): SkillsRun {
  const { context, configurable, signal } = typeof config === 'object' && config !== null ? (config as RunConfig) : {};
  return { context, configurable: configurable ?? {}, signal };
}

/** The graph's state in the runtime of a tool call; `undefined` outside of a graph. */
export function stateOfRuntime(config: unknown): unknown {
  return typeof config === 'object' && config !== null ? (config as { readonly state?: unknown }).state : undefined;
}

/** The id of the thread; `undefined` for a run without `thread_id`. */
export function threadOf({ configurable }: SkillsRun): string | undefined {
  const id = configurable['thread_id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}
