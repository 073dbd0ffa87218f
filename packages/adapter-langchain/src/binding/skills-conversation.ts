import type { BaseMessage } from '@langchain/core/messages';
import type { SkillEvent, SkillSession, SkillState } from '@repertoire/skills-core';
import type { LoadedTools } from '../state/skills-state.ts';
import type { BroughtTo, ToolsBySkill } from './brought-tools.ts';
import type { SkillsRun } from './skills-run.ts';

/** A run of a graph as skills see it: its session, and what of its state counts. It lives as long as one call of a node or a tool. */
export interface SkillsConversation extends BroughtTo {
  readonly run: SkillsRun;
  readonly session: SkillSession;
  readonly messages: readonly BaseMessage[];
  /** What is loaded, by the state. */
  readonly loaded: SkillState;
  /** What is loaded, and what of it still stands in the messages. @default the messages of the state */
  skills(messages?: readonly BaseMessage[]): SkillState;
  /** The messages as the model reads them: with the instructions that are put back. @default the messages of the state */
  shown(messages?: readonly BaseMessage[]): Promise<readonly BaseMessage[]>;
  /** The tools that loaded skills bring. A skill whose source fails now has none; `failed` is told why. */
  broughtTools(failed?: (skill: string, error: unknown) => void): Promise<ToolsBySkill>;
  /** The update of the state's channels that these events are. */
  update(events: readonly SkillEvent[], tools: LoadedTools): Promise<Readonly<Record<string, unknown>>>;
}
