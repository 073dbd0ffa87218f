import type { BaseMessage } from '@langchain/core/messages';
import type { SkillsGraphState } from '../state/skills-state.ts';

/** A graph's state with the channels of skills and messages. */
export type SkillsState = Partial<SkillsGraphState> & { readonly messages: readonly BaseMessage[] };
