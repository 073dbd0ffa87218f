import type { BaseMessage, BaseMessageLike } from '@langchain/core/messages';
import type { BaseChannel, CompiledStateGraph, StateDefinition } from '@langchain/langgraph';
import type { LoadedSkills, LoadedTools, SkillsGraphState } from '@repertoire/adapter-langchain/langgraph';

/** The state of an agent: messages, loaded skills, and the channels of the file. */
export interface AgentState extends SkillsGraphState {
  readonly messages: BaseMessage[];
  readonly [channel: string]: unknown;
}

/** The input of an agent. */
export interface AgentInput {
  readonly messages?: BaseMessageLike | readonly BaseMessageLike[] | undefined;
  readonly [channel: string]: unknown;
}

/** The output of an agent, for the types of LangGraph. */
export type AgentOutput = {
  messages: BaseChannel<BaseMessage[]>;
  loaded_skills: BaseChannel<LoadedSkills>;
  loaded_tools: BaseChannel<LoadedTools>;
} & { [channel: string]: BaseChannel };

/** A normal LangGraph graph, with checkpointers, streams, interrupts and drawing. */
export type AgentGraph = CompiledStateGraph<AgentState, AgentInput, string, StateDefinition, AgentOutput>;
