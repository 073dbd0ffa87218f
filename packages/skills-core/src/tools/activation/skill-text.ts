import { scriptsNotRunText } from '../../prompt/model-texts.ts';
import { reportInvisible } from '../report-invisible.ts';
import type { SkillInUse } from '../pinned/skill-in-use.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import { renderSkill } from './render-skill.ts';

/** A skill that is to be written for a model. */
export interface TextRequest extends SkillInUse {
  /** Arguments as typed, if any. */
  readonly given: string | undefined;
  /** Revision of the load, which stands in the frame. */
  readonly revision: string;
  readonly signal: AbortSignal | undefined;
}

/** What the model reads of a skill, with no command run. */
export async function skillText(environment: ToolEnvironment, request: TextRequest): Promise<string> {
  const { skill } = request;
  reportInvisible(environment, skill.name, 'SKILL.md', skill.body);
  return await rendered(environment, request);
}

/** The same text with the output of the commands in the body, where the host has them run. */
export async function textWithOutput(environment: ToolEnvironment, request: TextRequest, written: string): Promise<string> {
  const { given, signal } = request;
  const { scripts } = environment;
  if (typeof scripts !== 'object' || !hasCommands(environment, request)) return written;
  const { body, diagnostics } = await scripts.expand(environment, request, given, signal);
  for (const diagnostic of diagnostics) environment.report(diagnostic);
  return await rendered(environment, request, body);
}

/** The text of a loaded skill again. Nothing runs, so it stays the same. */
export async function skillTextAgain(
  environment: ToolEnvironment,
  request: TextRequest,
  place: 'restored' | 'system-prompt',
): Promise<string> {
  const asked = { skill: request.skill, arguments: request.given };
  const { skill, arguments: given } = (await environment.hooks?.load(asked, request.signal)) ?? asked;
  return await plainTextAgain(environment, { ...request, skill, given }, undefined, place);
}

/**
 * The same for a skill that went through the hooks already.
 *
 * @param written the text without output, if it was written before
 */
export async function plainTextAgain(
  environment: ToolEnvironment,
  request: TextRequest,
  written?: string,
  place: 'restored' | 'system-prompt' = 'restored',
): Promise<string> {
  const { skill, given } = request;
  const { scripts } = environment;
  const runs = typeof scripts === 'object' && hasCommands(environment, request) ? scripts : undefined;
  if (runs === undefined && written !== undefined) return written;
  return await rendered(environment, request, runs?.withoutOutput(skill, given, place));
}

/** @param body where it is not as its author wrote it: complete, with its arguments */
async function rendered(environment: ToolEnvironment, request: TextRequest, body?: string): Promise<string> {
  const { skill, revision, grants, given } = request;
  const runs = [await scriptsOf(environment, request), grants.has('scripts') ? environment.describeWorkflow(skill) : ''];
  return renderSkill(skill, { fileReader: environment.fileReader, revision, runs, arguments: given, body });
}

async function scriptsOf(environment: ToolEnvironment, request: TextRequest): Promise<string> {
  const { skill, grants, signal } = request;
  if (!skill.resources.some(({ kind }) => kind === 'script')) return '';
  const { scripts } = environment;
  if (typeof scripts === 'string') return scripts;
  return (grants.has('scripts') && (await scripts?.describe(environment, request, signal))) || scriptsNotRunText;
}

/** Whether commands in the body are replaced by their output. */
export function hasCommands({ scripts }: ToolEnvironment, { skill, grants }: Pick<SkillInUse, 'skill' | 'grants'>): boolean {
  return typeof scripts === 'object' && grants.has('snippets') && scripts.hasSnippets(skill);
}

/** Reports commands that never run in the system prompt. */
export function reportCommandsNotRun(environment: ToolEnvironment, use: Pick<SkillInUse, 'skill' | 'grants'>): void {
  if (!hasCommands(environment, use)) return;
  const { skill } = use;
  environment.report({
    code: 'snippets-not-run',
    severity: 'warning',
    skill: skill.name,
    message: `The commands in the body of ${JSON.stringify(skill.name)} did not run: its instructions stand in the system prompt.`,
    fix: "Use surface: { instructions: 'tool-result' }, or give the skill another surface mode.",
  });
}
