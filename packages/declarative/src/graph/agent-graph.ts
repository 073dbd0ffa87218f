import type { BaseMessage, BaseMessageLike } from '@langchain/core/messages';
import type { BaseChannel, CompiledStateGraph, StateDefinition } from '@langchain/langgraph';
import type { LoadedSkills, LoadedTools, SkillsGraphState } from '@repertoire/adapter-langchain/langgraph';

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

/** What an agent gives, for the types of LangGraph. */
export type AgentOutput = {
  messages: BaseChannel<BaseMessage[]>;
  loaded_skills: BaseChannel<LoadedSkills>;
  loaded_tools: BaseChannel<LoadedTools>;
} & { [channel: string]: BaseChannel };

/** A graph of LangGraph like any other: with checkpointers, streams, interrupts, and its drawing. */
export type AgentGraph = CompiledStateGraph<AgentState, AgentInput, string, StateDefinition, AgentOutput>;
