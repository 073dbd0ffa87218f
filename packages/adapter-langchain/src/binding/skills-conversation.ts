import type { BaseMessage } from '@langchain/core/messages';
import type { SkillEvent, SkillSession, SkillState } from '@repertoire/skills-core';
import type { Shown } from '../messages/with-restored.ts';
import type { LoadedTools } from '../state/skills-state.ts';
import type { ToolConversation, ToolsBySkill } from './tools-of-skills.ts';
import type { SkillsRun } from './skills-run.ts';

/** A run of a graph: its session, and what counts of its state. For one call of a node or tool. */
export interface SkillsConversation extends ToolConversation {
  readonly run: SkillsRun;
  readonly session: SkillSession;
  readonly messages: readonly BaseMessage[];
  /** What is loaded, according to the state. */
  readonly loaded: SkillState;
  /** What is loaded, and which texts are still in the messages. @default those of the state */
  skills(shown?: Shown): SkillState;
  /** The messages as the model reads them, with reinserted texts. @default those of the state */
  shown(messages?: readonly BaseMessage[]): Promise<Shown>;
  /** The tools of loaded skills. If a source fails, `failed` is called. */
  toolsOfSkills(failed?: (skill: string, error: unknown) => void): Promise<ToolsBySkill>;
  /** Converts events to an update of the state's channels. */
  update(events: readonly SkillEvent[], tools: LoadedTools): Promise<Readonly<Record<string, unknown>>>;
}
