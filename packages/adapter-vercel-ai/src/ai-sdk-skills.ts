import { SkillError, type SkillProvider, type SkillSession, type Skillset } from '@repertoire/skills-core';
import {
  assertNoReservedToolNames,
  skillsetOf,
  toolsInCode,
  type ContextArguments,
  openSkillset,
  restoreRules,
  adapterReporter,
} from '@repertoire/skills-core/adapter';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import type { ToolSet } from 'ai';
import type { AiSdkSkills, AiSdkSkillsOptions } from './ai-sdk-skills-options.ts';
import { buildSkills } from './build-skills.ts';
import { isAiSdkTool } from './sources/is-ai-sdk-tool.ts';
import { openToolSources } from './sources/open-tool-sources.ts';

/** The compiler reports an option that is missing here. */
const knownOptions: OptionRules<AiSdkSkillsOptions> = {
  tools: '{}',
  otherTools: 'string[]',
  session: '{}',
  gate: { refuse: true, hide: true, defer: true },
  state: '{}',
  models: { '{}': true, '()': true },
  restore: { '{}': restoreRules, false: true },
  withdraw: 'boolean',
  fork: '()',
  toolSources: '[]',
  onDiagnostic: '()',
  signal: '{}',
  conversation: 'string',
  context: true,
  kept: true,
};

/** The option `context` is required if the skillset has a context and no session is given. */
export type AiSdkSkillsArguments<TOOLS extends ToolSet, Context> = ContextArguments<
  Context,
  AiSdkSkillsOptions<TOOLS, Context>,
  { readonly context: Context } | { readonly session: SkillSession }
>;

/**
 * Connects a skillset to the Vercel AI SDK: `generateText`, `streamText` and `ToolLoopAgent`. It
 * opens one session, so what the model sees is stable.
 *
 * The result stores nothing about a conversation. What is loaded is derived from the messages of
 * each call, so one result can serve many conversations on a stateless server. (With the options
 * `state` and `toolSources` it belongs to one conversation.)
 *
 * A tool that a skill names can be called from the step after the load. In the step that loads the
 * skill it is still closed, because the model has not read the instructions yet.
 *
 * @throws {SkillError} `reserved-tool-name` if a tool of the host has the name of a skill tool;
 *   `invalid-options` for an unknown option, and for a gated tool that has no `execute` to refuse
 *   in and is not hidden; what the provider rejects with if it cannot answer
 *
 * @param source a skillset, or a provider as shorthand for `createSkillset({ provider })`
 * @example
 * ```ts
 * import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
 * import { createSkillset, defineSkill } from '@repertoire/skills-core';
 * import { generateText, isStepCount, type LanguageModel } from 'ai';
 *
 * const skillset = createSkillset({
 *   skills: [defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.', body: 'Five, seven, five.' })],
 * });
 *
 * export async function answer(model: LanguageModel, prompt: string): Promise<string> {
 *   const skills = await aiSdkSkills(skillset);
 *   const { text } = await generateText({
 *     model,
 *     prompt,
 *     instructions: skills.instructions('You are a helpful assistant.'),
 *     tools: skills.tools,
 *     prepareStep: skills.prepareStep,
 *     stopWhen: isStepCount(20),
 *   });
 *   return text;
 * }
 * ```
 */
export async function aiSdkSkills<TOOLS extends ToolSet = {}, Context = undefined>(
  source: Skillset<Context> | SkillProvider,
  ...[options = {}]: AiSdkSkillsArguments<TOOLS, Context>
): Promise<AiSdkSkills<TOOLS>> {
  const skillset = skillsetOf('aiSdkSkills', source);
  checkOptions(options);
  const { toolNames } = skillset;
  const { otherTools = [], signal, kept } = options;
  const context = 'context' in options && { context: options.context };
  const handed = { ...toolsInCode(skillset.provider, isAiSdkTool, otherTools), ...options.tools };
  const named = [...Object.keys(handed), ...otherTools];
  assertNoReservedToolNames(named, toolNames);
  const { own, report } = adapterReporter(skillset, options.onDiagnostic);
  const opened =
    options.session ??
    (await openSkillset(skillset, {
      ...context,
      availableTools: named,
      conversation: options.conversation,
      kept,
      signal,
      onDiagnostic: own,
    }));
  const toolsOfSkills = await openToolSources(options.toolSources ?? [], opened.catalog, {
    taken: [...Object.values(toolNames), ...named],
    signal,
    report,
  });
  try {
    return buildSkills<TOOLS, Context>({
      skillset,
      options,
      session: toolsOfSkills.bySkill.size === 0 ? opened : opened.withToolsOfSkills(toolsOfSkills.bySkill),
      tools: { ...handed, ...toolsOfSkills.tools },
      report,
      close: toolsOfSkills.close,
    });
  } catch (error) {
    await toolsOfSkills.close();
    throw error;
  }
}

function checkOptions<TOOLS extends ToolSet, Context>(options: AiSdkSkillsOptions<TOOLS, Context>): void {
  assertKnownOptions('aiSdkSkills', options, knownOptions);
  const current: unknown = options.state?.current;
  if (options.state !== undefined && (typeof current !== 'object' || current === null || !('loaded' in current)))
    throw new SkillError(
      'invalid-options',
      'state must be { current }, with a skill state in it. Begin with { current: emptySkillState }.',
    );
}
