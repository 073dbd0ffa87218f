import type { SkillCatalog, SkillDiagnostic, SkillMetadata, Skillset } from '@repertoire/skills-core';
import { assertNoReservedToolNames } from '@repertoire/skills-core/policy';
import type { ToolSet } from 'ai';
import type { AiSdkSkills, AiSdkSkillsOptions } from './ai-sdk-skills-options.ts';
import { buildSkills } from './build-skills.ts';
import { openToolSources } from './sources/open-tool-sources.ts';
import { stateFromMessages, stateFromServer } from './state/conversation-state.ts';

/**
 * Brings a skillset to the Vercel AI SDK: `generateText`, `streamText` and `ToolLoopAgent`. It reads the catalog once, so what the model sees is stable.
 *
 * The result holds nothing of any conversation: what is loaded follows from the messages of each call, so one result may serve many at once, on a server that
 * remembers nothing. (With the options `state` and `toolSources` it belongs to one conversation.)
 *
 * A tool that a skill names may be called from the step after that skill was loaded. In the very step in which the model loads it, it is still locked, because
 * the model has not read the instructions yet.
 *
 * @throws {SkillError} `reserved-tool-name` for a host's tool with the name of a skill tool; `invalid-options` for a lockable tool that has no `execute` to
 * refuse in and is not hidden either; what the provider rejects with, where it cannot answer
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
  skillset: Skillset<Context>,
  options: AiSdkSkillsOptions<TOOLS, Context> = {},
): Promise<AiSdkSkills<TOOLS, Context>> {
  const { toolNames } = skillset;
  const { otherTools = [], signal } = options;
  const named = [...Object.keys(options.tools ?? {}), ...otherTools];
  assertNoReservedToolNames(named, toolNames);
  const catalog = options.catalog ?? (await skillset.catalog({ context: options.context, availableTools: named, signal }));
  const report = reporter(options.onDiagnostic);
  const brought = await openToolSources(options.toolSources ?? [], catalog, {
    taken: [...Object.values(toolNames), ...named],
    signal,
    report,
  });
  const state = options.state === undefined ? stateFromMessages(skillset) : stateFromServer(skillset, options.state);
  const naming = withBrought(catalog, brought.bySkill);
  try {
    return buildSkills<TOOLS, Context>({
      skillset,
      options,
      catalog,
      rulesCatalog: naming,
      toolCatalog: naming,
      tools: { ...options.tools, ...brought.tools },
      state,
      report,
      close: brought.close,
    });
  } catch (error) {
    await brought.close();
    throw error;
  }
}

/** The catalog in which skills name what they bring, so that the core's rules for their tools hold for it too. */
function withBrought<Context>(catalog: SkillCatalog<Context>, bySkill: ReadonlyMap<string, readonly string[]>): SkillCatalog<Context> {
  if (bySkill.size === 0) return catalog;
  const naming = (skill: SkillMetadata): SkillMetadata => {
    const names = bySkill.get(skill.name);
    return names === undefined ? skill : { ...skill, tools: [...(skill.tools ?? []), ...names] };
  };
  return { ...catalog, listed: catalog.listed.map(naming), skills: catalog.skills.map(naming) };
}

/** Tells each thing once, and lets a listener that breaks break nothing. */
function reporter(listener: ((diagnostic: SkillDiagnostic) => void) | undefined): (diagnostic: SkillDiagnostic) => void {
  const told = new Set<string>();
  return (diagnostic) => {
    if (told.has(diagnostic.message)) return;
    told.add(diagnostic.message);
    try {
      listener?.(diagnostic);
    } catch {
      // A listener that breaks must not break the agent.
    }
  };
}
