import type { ChannelShape, ResponseFormatShape, SkillShape } from '../shape/agent-shape.ts';
import type { PlannedExpression } from './plan-expression.ts';

/** A checked file, ready to become a graph. */
export interface AgentPlan {
  readonly name: string | undefined;
  readonly prompts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly skills: readonly SkillShape[];
  readonly llms: readonly AgentLlm[];
  /** Names of the tools that nodes may bind. */
  readonly tools: readonly string[];
  readonly channels: Readonly<Record<string, ChannelShape>>;
  readonly nodes: readonly NodePlan[];
  readonly edges: readonly EdgePlan[];
}

/** A model that the file names. The host decides which model it is. */
export interface AgentLlm {
  readonly id: string;
  readonly version?: string | undefined;
  readonly provider?: string | undefined;
  /** `model_name` of the file. */
  readonly modelName?: string | undefined;
}

/** What a node writes: an expression for each channel. */
export type UpdatePlan = readonly { readonly channel: string; readonly expression: PlannedExpression }[];

/** A system prompt followed by the messages of the state, or a list of roles. */
export type PromptPlan =
  | { readonly kind: 'system'; readonly expression: PlannedExpression }
  | {
      readonly kind: 'roles';
      readonly parts: readonly { readonly role: 'system' | 'human' | 'ai' | 'messages'; readonly expression: PlannedExpression }[];
    };

export interface CallLlmPlan {
  readonly type: 'call_llm';
  readonly name: string;
  readonly llm: string;
  readonly prompt: PromptPlan;
  /** Names of tools, including those of skills. */
  readonly tools: readonly string[];
  readonly usesLoadedSkills: boolean;
  readonly responseFormat: ResponseFormatShape | undefined;
  readonly updates: UpdatePlan;
}

export interface ToolNodePlan {
  readonly type: 'tool_node';
  readonly name: string;
  /** Which of the file's tools it runs. */
  readonly tools: readonly string[];
}

export type NodePlan =
  | CallLlmPlan
  | ToolNodePlan
  | { readonly type: 'load_skills'; readonly name: string; readonly skillIds: PlannedExpression }
  | { readonly type: 'set_state'; readonly name: string; readonly updates: UpdatePlan }
  | { readonly type: 'interrupt'; readonly name: string; readonly value: PlannedExpression; readonly updates: UpdatePlan }
  | {
      readonly type: 'workflow';
      readonly name: string;
      readonly skill: { readonly id: string; readonly version?: string | undefined };
      readonly input: PlannedExpression | null;
      readonly updates: UpdatePlan;
    };

/** All edges that leave one node. */
export interface EdgePlan {
  /** A node, or START. */
  readonly source: string;
  /** The tool node for calls in the last message. It is checked first. */
  readonly callsTo: string | null;
  /** The first branch whose condition is true is taken. */
  readonly branches: readonly { readonly condition: PlannedExpression; readonly target: string; readonly label: string | undefined }[];
  /** The default target: one node, or several in parallel. */
  readonly targets: readonly string[];
}
