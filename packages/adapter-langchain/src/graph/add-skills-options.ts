import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { OptionRules } from '@repertoire/skills-core/internal';
import { modelNodeRules, type ModelNodeOptions } from './model-node-options.ts';
import type { SkillsState } from './skills-graph-state.ts';
import type { SkillWanted } from './load-wanted.ts';

/** Nodes that {@link LangGraphSkills.addTo} adds: always `model` and `tools`. */
export type SkillsNodeName = 'begin_run' | 'run_command' | 'load_skills' | 'model' | 'tools' | 'close_skills';

/** Options of {@link LangGraphSkills.addTo}. */
export interface AddSkillsOptions<State extends SkillsState, Node extends string> extends ModelNodeOptions<State> {
  readonly model: BaseChatModel;
  /** Skills to load before the model is called, found in the state. @default none */
  readonly select?: ((state: State) => readonly (SkillWanted | string)[] | undefined) | undefined;
  /** Loads the skill that a person types as `/name arguments`. @default false */
  readonly commands?: boolean | undefined;
  /** The node after which the agent starts. @default START */
  readonly from?: Node | undefined;
  /** The node that follows the model's answer. @default END */
  readonly to?: Node | undefined;
}

export const addSkillsRules: OptionRules<AddSkillsOptions<SkillsState, string>> = {
  ...modelNodeRules,
  model: '{}',
  select: '()',
  commands: 'boolean',
  from: 'string',
  to: 'string',
};
