import type { BaseMessage } from '@langchain/core/messages';
import type { SkillsStateUpdate } from '../state/graph-state.ts';

/** What a node returns: messages, and updates of the skill channels. */
export type SkillsNodeUpdate = SkillsStateUpdate & { messages?: BaseMessage[] };
