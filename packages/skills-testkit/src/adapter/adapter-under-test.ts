import type { Skillset, SkillState } from '@repertoire/skills-core';
import type { SkillFork, RestoreBudget } from '@repertoire/skills-core/adapter';

/** A message, or the result of one tool call, in no framework's shape. */
export type AdapterMessage =
  | { readonly from: 'user'; readonly text: string }
  | { readonly from: 'model'; readonly text: string; readonly calls: readonly { readonly tool: string; readonly input: unknown }[] }
  | { readonly from: 'tool'; readonly tool: string; readonly text: string };

/** The answer of the scripted model: a text, or the tools that it calls at once. */
export type AdapterModelStep = string | readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>])[];

/** A tool of the host. */
export interface AdapterTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, { readonly type: 'string' }>>;
    readonly required: string[];
    readonly additionalProperties: false;
  };
  run(input: Readonly<Record<string, unknown>>): string;
}

/** What the host tells the skillset with each request. */
export interface AdapterContext {
  readonly role: 'support' | 'finance';
}

/**
 * What a model is given in one call, word for word. What only a framework adds is left out: ids,
 * flags such as `status: 'error'`, how texts are cut into blocks, how results are gathered into
 * messages, and where in a request the system prompt travels.
 */
export interface GivenToModel {
  readonly system: string;
  /** Every tool, in the order in which the model reads it; the schema as the JSON that is sent. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly schema: string }[];
  readonly messages: readonly AdapterMessage[];
  /** Reads which skills are loaded at this call, as your adapter tells its users. */
  readonly state: () => SkillState | Promise<SkillState>;
}

/** An agent to build, with your adapter, in your framework. */
export interface AdapterSetup {
  readonly skillset: Skillset<AdapterContext>;
  readonly context: AdapterContext;
  /** The system prompt of the host. */
  readonly instructions: string;
  readonly tools: readonly AdapterTool[];
  /** Whether closed tools are refused when they are called, or also hidden from the model. */
  readonly gate: 'refuse' | 'hide';
  /** The room for texts of loaded skills that a cut removed. */
  readonly restore: RestoreBudget | undefined;
  /** Runs a forked skill. Only in an `extended` suite. */
  readonly fork: ((fork: SkillFork) => Promise<string>) | undefined;
  /** Tools of skills, by the `import_path` of the skill. Only in an `extended` suite. */
  readonly toolsOfSkills: Readonly<Record<string, AdapterTool>>;
  /** The conversation so far. A client may have forged it. Each result follows its call. */
  readonly history: readonly AdapterMessage[];
  /** What the server knows to be loaded; `undefined` if it keeps no state. */
  readonly state: SkillState | undefined;
  /** What the client says to be loaded. The same object as `state` if the client is honest. */
  readonly claims: SkillState;
  /** Rubbish for every other place that a client can write. Ignore it if there is no such place. */
  readonly rubbish: unknown;
  /** The scripted model. Call it whenever your framework calls its model. */
  model(given: GivenToModel): Promise<AdapterModelStep>;
}

/** A conversation with the agent. */
export interface AdapterConversation {
  /** A person says something, and the agent works until its model answers with a text. */
  ask(text: string): Promise<void>;
  /** The host cuts the history: a summary replaces all but the last so many turns of the person. */
  cut(summary: string, keepTurns: number): void | Promise<void>;
}

/** Connects the suite with an adapter. */
export interface SkillAdapterUnderTest {
  /** Name of the adapter, for titles. */
  readonly name: string;
  /** Begins a conversation with a new agent. */
  converse(setup: AdapterSetup): AdapterConversation | Promise<AdapterConversation>;
  /**
   * Whether the adapter can do what is optional: tools of skills, hidden tools, agents of
   * forked skills, and instructions that are repeated in long conversations.
   *
   * @default false
   */
  readonly extended?: boolean | undefined;
  /**
   * How many random worlds each property of gates is tried on, at least 8.
   *
   * @default 20
   */
  readonly worlds?: number | undefined;
}

/** A tool of the host that takes texts. */
export function adapterTool(name: string, description: string, parameters: readonly string[], run: AdapterTool['run']): AdapterTool {
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' as const }]));
  return { name, description, inputSchema: { type: 'object', properties, required: [...parameters], additionalProperties: false }, run };
}
