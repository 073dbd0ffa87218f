import type { SkillProvider, SkillState } from '@repertoire/skills-core';
import type { ParityVariant } from './conversation.ts';

/**
 * What a model was given in one call, and in which state. All text is verbatim. A framework's envelope is what is not here: ids of messages and calls, flags such as
 * `status: 'error'`, how texts are cut into blocks, how results are gathered into messages, and in which of the two places of an API the system prompt travels.
 */
export interface ModelCall {
  readonly system: string;
  /** Every tool, in the order in which the model reads it; the schema as the JSON that is sent. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly schema: string }[];
  readonly messages: readonly NeutralMessage[];
  /** What is loaded, as the host tells it when this call is made. */
  readonly state: SkillState;
}

/** A message, or one tool's result. */
export type NeutralMessage =
  | { readonly from: 'user'; readonly text: string }
  | { readonly from: 'model'; readonly text: string; readonly calls: readonly { readonly tool: string; readonly input: unknown }[] }
  | { readonly from: 'tool'; readonly tool: string; readonly text: string };

/** One host: plays the conversation over a provider, and tells what the model was given in each call. */
export interface ParityHost {
  readonly name: string;
  play(provider: SkillProvider, variant: ParityVariant): Promise<readonly ModelCall[]>;
}
