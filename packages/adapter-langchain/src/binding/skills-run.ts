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

/** What connections of a conversation are kept under: the run of an agent, else the thread of a graph; `undefined` for a graph that runs without a `thread_id`. */
export function conversationOf(state: unknown, { configurable }: SkillsRun): string | undefined {
  const run = (state as { readonly _skill_run?: unknown } | undefined)?.['_skill_run'];
  const id = typeof run === 'string' ? run : configurable['thread_id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}
