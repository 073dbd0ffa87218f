import type { Skill } from '../../contract/skill-provider.ts';
import { scriptsNotRunText } from '../../prompt/model-texts.ts';
import { fingerprint } from '../../state/fingerprint.ts';
import { reportInvisible } from '../report-invisible.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import { listedRevision } from './listed-revision.ts';
import { renderSkill, type RenderSkillOptions } from './render-skill.ts';

/** What the model reads of a skill in this session, as its author wrote it: no command in it has run. */
export async function skillText(
  environment: ToolEnvironment,
  skill: Skill,
  given: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  reportInvisible(environment, skill.name, 'SKILL.md', skill.body);
  return renderSkill(skill, { ...(await optionsOf(environment, skill, signal)), arguments: given });
}

/** The same text with the output of the commands in the body, where the host has them run. */
export async function textWithOutput(
  environment: ToolEnvironment,
  skill: Skill,
  given: string | undefined,
  written: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { scripts } = environment;
  if (typeof scripts !== 'object' || !scripts.hasSnippets(skill)) return written;
  const { body, diagnostics } = await scripts.expand(environment, skill, given, signal);
  for (const diagnostic of diagnostics) environment.report(diagnostic);
  return renderSkill(skill, { ...(await optionsOf(environment, skill, signal)), body, written: fingerprint(written) });
}

/** The text of a skill that was loaded before, put back or for the system prompt. Nothing runs, so the same text comes back each time. */
export async function skillTextAgain(
  environment: ToolEnvironment,
  found: Skill,
  asked: string | undefined,
  place: 'put-back' | 'system-prompt',
  signal: AbortSignal | undefined,
): Promise<string> {
  const { scripts, hooks } = environment;
  const hooked = { skill: found, arguments: asked };
  const { skill, arguments: given } = (await hooks?.load(hooked, signal)) ?? hooked;
  const options = await optionsOf(environment, skill, signal);
  if (typeof scripts !== 'object' || !scripts.hasSnippets(skill)) return renderSkill(skill, { ...options, arguments: given });
  return renderSkill(skill, { ...options, body: scripts.withoutOutput(skill, given, place) });
}

async function optionsOf(environment: ToolEnvironment, skill: Skill, signal: AbortSignal | undefined): Promise<RenderSkillOptions> {
  return {
    fileReader: environment.fileReader,
    revision: listedRevision(environment, skill),
    runs: [await scriptsOf(environment, skill, signal), environment.describeWorkflow(skill)],
  };
}

async function scriptsOf(environment: ToolEnvironment, skill: Skill, signal: AbortSignal | undefined): Promise<string> {
  if (!skill.resources.some(({ kind }) => kind === 'script')) return '';
  const { scripts } = environment;
  if (typeof scripts === 'string') return scripts;
  return (await scripts?.describe(environment, skill, signal)) || scriptsNotRunText;
}

/** Tells the host that commands of a body never run, because it stands in the system prompt, which is made anew for each request. */
export function reportCommandsNotRun({ scripts, report }: ToolEnvironment, skill: Skill): void {
  if (typeof scripts !== 'object' || !scripts.hasSnippets(skill)) return;
  report({
    code: 'snippets-not-run',
    severity: 'warning',
    skill: skill.name,
    message: `The commands in the body of ${JSON.stringify(skill.name)} did not run: its instructions stand in the system prompt.`,
    fix: "Use bodies: 'tool-result', or give the skill another surface mode.",
  });
}
