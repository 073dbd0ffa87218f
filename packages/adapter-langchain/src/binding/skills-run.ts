/** What is known of a run of a graph. */
export interface SkillsRun {
  /** `context` of the call: `agent.invoke(…, { context })`. In middleware it needs the option `contextSchema`. */
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

/** The run that a configuration or a runtime of the framework belongs to. */
export function runOf(config: unknown): SkillsRun {
  const { context, configurable, signal } = typeof config === 'object' && config !== null ? (config as RunConfig) : {};
  return { context, configurable: configurable ?? {}, signal };
}

/** The graph's state, as a tool finds it in the runtime that it is called with; `undefined` outside of a graph. */
export function stateOfRuntime(config: unknown): unknown {
  return typeof config === 'object' && config !== null ? (config as { readonly state?: unknown }).state : undefined;
}

/** The thread of a graph; `undefined` for one that runs without a `thread_id`. */
export function threadOf({ configurable }: SkillsRun): string | undefined {
  const id = configurable['thread_id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}
