import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { MessagesValue, StateGraph, StateSchema, type BaseCheckpointSaver } from '@langchain/langgraph';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { createSkillset } from '@repertoire/skills-core';
import { skills as bundled } from './skills.gen.ts';

/** What the graph is made with. */
export interface DeskGraphOptions {
  readonly model: BaseChatModel;
  readonly tools: readonly StructuredToolInterface[];
  readonly checkpointer: BaseCheckpointSaver;
}

/** The graph, compiled. */
export type DeskGraph = ReturnType<typeof deskGraph>;
/** The state of a conversation. */
export type DeskState = typeof State.State;

// A skill file closes no tools: the host says which tools need a skill.
const skillset = createSkillset({ skills: bundled, gates: { tools: ['reserve_copy', 'waive_fee'] } });
const State = new StateSchema({ messages: MessagesValue, ...skillsState });

/**
 * A library's help desk: a model and its tools in turns, with skills that the model loads when it
 * needs them.
 */
export function deskGraph({ model, tools, checkpointer }: DeskGraphOptions) {
  // Hidden tools prevent the model from calling them too early.
  return langGraphSkills(skillset, { tools, gate: 'hide' })
    .addTo(new StateGraph(State), { model, base: 'You are the desk of a public library.' })
    .compile({ checkpointer });
}
