import type { BaseMessage, BaseMessageLike } from '@langchain/core/messages';
import type { CompiledStateGraph } from '@langchain/langgraph';
import type { SkillsGraphState } from '@repertoire/adapter-langchain/langgraph';

/** The state of an agent: messages, what is loaded of the skills, and the channels of the file. */
export interface AgentState extends SkillsGraphState {
  readonly messages: BaseMessage[];
  readonly [channel: string]: unknown;
}

/** What an agent is called with. */
export interface AgentInput {
  readonly messages?: BaseMessageLike | readonly BaseMessageLike[] | undefined;
  readonly [channel: string]: unknown;
}

/** A graph of LangGraph like any other: with checkpointers, streams, interrupts, and its drawing. */
export type AgentGraph = CompiledStateGraph<AgentState, AgentInput, string>;
