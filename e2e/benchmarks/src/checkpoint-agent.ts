/** What an agent with skills is made of, from one copy of LangChain. `peers/<id>/checkpoint.ts` has one for each contender that has such agents. */
export interface CheckpointAgent {
  readonly langchain: LangChain;
  readonly tools: readonly object[];
  readonly middleware: readonly object[];
  /** The tool call by which a model loads this skill. */
  callFor(skill: string): { readonly name: string; readonly args: object };
}

/** The parts of LangChain that the measurement uses. A contender brings its own. */
export interface LangChain {
  createAgent(options: object): {
    invoke(input: object, configuration: object): Promise<{ readonly messages: readonly { readonly text: string }[] }>;
  };
  tool(run: (input: { readonly name: string }) => Promise<string>, options: object): object;
  readonly BaseChatModel: new (options: object) => object;
  readonly AIMessage: new (options: object) => object;
  readonly MemorySaver: new () => Saver;
}

/** A checkpointer, as it is watched. */
export interface Saver {
  readonly serde: { dumpsTyped(value: unknown): readonly [string, Uint8Array] | Promise<readonly [string, Uint8Array]> };
  put(configuration: object, checkpoint: object, ...rest: unknown[]): Promise<object>;
  putWrites(configuration: object, writes: readonly (readonly [string, unknown])[], ...rest: unknown[]): Promise<void>;
}

/** What `checkpoint.ts` of a contender exports. */
export interface CheckpointModule {
  importAgent(folder: string): Promise<CheckpointAgent>;
}
