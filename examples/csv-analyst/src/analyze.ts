import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import type { SkillActivity } from '@repertoire/skills-core';
import { ToolLoopAgent } from 'ai';
import { analystSkills } from './analyst-skills.ts';
import type { ChosenModel } from './choose-model.ts';
import type { Table } from './read-table.ts';

/** Something that the agent did. */
export type AnalystEvent =
  | { readonly type: 'loaded'; readonly skill: string; readonly tokens: number }
  | {
      readonly type: 'ran';
      readonly skill: string;
      readonly script: string;
      readonly exitCode: number | null;
      readonly durationMs: number;
      /** The confinement of the script: `bubblewrap`, `namespaces` or `none`. */
      readonly confinement: string;
      /** SHA-256 over the files of the skill. */
      readonly digest: string;
    }
  | { readonly type: 'failed'; readonly tool: string; readonly message: string }
  | { readonly type: 'answered'; readonly text: string };

const instructions =
  'You look at data files for a colleague. Say only what a script of a skill has counted, and quote its figures. Answer briefly.';

/** What to analyze, and with which model. */
export interface AnalyzeOptions {
  readonly table: Table;
  readonly question: string;
  readonly model: ChosenModel;
  readonly requireConfinement: boolean;
}

/** Lets an agent answer a question about a file, and reports each of its steps. */
export async function analyze(
  { table, question, model, requireConfinement }: AnalyzeOptions,
  tell: (event: AnalystEvent) => void,
): Promise<void> {
  const onEvent = (activity: SkillActivity): void => {
    const event = eventOf(activity);
    if (event !== null) tell(event);
  };
  const skills = await aiSdkSkills(analystSkills({ table, requireConfinement, onEvent }));
  const agent = new ToolLoopAgent({ model: model.model, ...skills.agentSettings({ instructions }) });
  const { text } = await agent.generate({ prompt: `${question}\n\nScripts find the file at inputs/${table.path}.` });
  tell({ type: 'answered', text });
}

function eventOf(activity: SkillActivity): AnalystEvent | null {
  switch (activity.type) {
    case 'skill_loaded':
      return { type: 'loaded', skill: activity.skill, tokens: activity.tokens };
    case 'script_run': {
      const { skill, path: script, exitCode, durationMs, confinement, digest } = activity;
      return { type: 'ran', skill, script, exitCode, durationMs, confinement, digest };
    }
    case 'skill_failed':
      return { type: 'failed', tool: activity.tool, message: activity.message };
    default:
      return null;
  }
}
