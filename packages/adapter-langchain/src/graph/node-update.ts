import type { BaseMessage } from '@langchain/core/messages';
import type { SkillsStateUpdate } from '../state/graph-state.ts';

/** What a node answers: messages, and updates of the channels of skills. */
export type SkillsNodeUpdate = SkillsStateUpdate & { messages?: BaseMessage[] };
