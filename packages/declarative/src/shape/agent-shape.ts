/** Types of the channels of a state. */
export const channelTypes = ['string', 'int', 'double', 'bool', 'list', 'map', 'any'] as const;
/** How an update is combined with the current value of a channel. */
export const channelReducers = ['replace', 'append', 'sum', 'merge'] as const;
/** The roles of a prompt. `messages` stands for a list of messages. */
export const promptRoles = ['system', 'human', 'ai', 'messages'] as const;

export type ChannelType = (typeof channelTypes)[number];

/** A file that fits the schema, with the names of the file. */
export interface AgentShape {
  readonly manifest_version?: 1 | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly skills?: readonly SkillShape[] | undefined;
  readonly llms?: readonly LlmShape[] | undefined;
  readonly tools?: readonly ReferenceShape[] | undefined;
  readonly prompts?: readonly PromptShape[] | undefined;
  readonly state?: Readonly<Record<string, ChannelShape>> | undefined;
  readonly nodes: readonly NodeShape[];
  readonly edges?: readonly EdgeShape[] | undefined;
}

export interface ReferenceShape {
  readonly id: string;
  readonly version?: string | undefined;
}

export interface SkillShape {
  readonly id?: string | undefined;
  readonly version?: string | undefined;
  readonly skill_card_path?: string | undefined;
  readonly folder?: string | undefined;
  readonly url?: string | undefined;
}

export interface LlmShape extends ReferenceShape {
  readonly provider?: string | undefined;
  readonly model_name?: string | undefined;
}

export interface PromptShape extends ReferenceShape {
  readonly instructions: string;
}

export interface ChannelShape {
  readonly type: ChannelType;
  readonly reducer: (typeof channelReducers)[number];
  readonly default?: unknown;
}

export interface ResponseFormatShape {
  readonly name: string;
  readonly description?: string | undefined;
  /** A JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Expressions by the channel that they write. */
export type UpdatesShape = Readonly<Record<string, string>>;

interface NamedNode<Type extends string, Args> {
  readonly name: string;
  readonly type: Type;
  readonly args: Args;
}

export interface CallLlmArgs {
  readonly llm?: ReferenceShape | undefined;
  readonly prompt: string | readonly { readonly role: (typeof promptRoles)[number]; readonly content: string }[];
  readonly tools?: readonly ReferenceShape[] | undefined;
  readonly use_tools_from_loaded_skills: boolean;
  readonly response_format?: ResponseFormatShape | undefined;
  readonly state_updates?: UpdatesShape | undefined;
}

export interface WorkflowArgs {
  readonly skill: ReferenceShape;
  readonly input?: string | undefined;
  readonly state_updates: UpdatesShape;
}

export type CallLlmShape = NamedNode<'call_llm', CallLlmArgs>;
export type WorkflowShape = NamedNode<'workflow', WorkflowArgs>;

export type NodeShape =
  | CallLlmShape
  | WorkflowShape
  | NamedNode<'load_skills', { readonly skill_ids: string }>
  | NamedNode<'tool_node', { readonly tools?: readonly ReferenceShape[] | undefined }>
  | NamedNode<'set_state', { readonly state_updates: UpdatesShape }>
  | NamedNode<'interrupt', { readonly value: string; readonly state_updates: UpdatesShape }>;

export interface EdgeShape {
  readonly source: string;
  readonly target?: string | undefined;
  readonly branches?: readonly { readonly condition: string; readonly target: string; readonly label?: string | undefined }[] | undefined;
  readonly default?: string | undefined;
}
