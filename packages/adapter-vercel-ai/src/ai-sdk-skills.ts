import {
  assertNoReservedToolNames,
  emptySkillState,
  lockedToolError,
  SkillError,
  type SkillCatalog,
  type Skillset,
} from '@repertoire/skills-core';
import type { ToolSet } from 'ai';
import type {
  AiSdkAgentSettings,
  AiSdkAgentSettingsOptions,
  AiSdkPrepareStep,
  AiSdkSkills,
  AiSdkSkillsOptions,
} from './ai-sdk-skills-options.ts';
import { stateFromMessages, stateFromServer } from './conversation-state.ts';
import { gateTool } from './gate-tool.ts';
import { hideLockedTools } from './hide-locked-tools.ts';
import { toAiTool } from './to-ai-tool.ts';

/**
 * Brings a skillset to the Vercel AI SDK: `generateText`, `streamText` and `ToolLoopAgent`. It reads the catalogue once, so what the model sees is stable.
 *
 * The result holds nothing of any conversation: what is loaded follows from the messages of each call, so one result may serve many at once, on a server that
 * remembers nothing. (With the option `state` it belongs to one conversation.)
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
  const hostTools: ToolSet = options.tools ?? {};
  const { otherTools = [] } = options.hideLockedTools ?? {};
  assertNoReservedToolNames([...Object.keys(hostTools), ...otherTools], toolNames);
  const catalog =
    options.catalog ??
    (await skillset.catalog({
      context: options.context,
      availableTools: [...Object.keys(hostTools), ...otherTools],
      signal: options.signal,
    }));
  const state = options.state === undefined ? stateFromMessages(skillset) : stateFromServer(skillset, options.state);

  const lockable = lockableTools(skillset, catalog, Object.keys(hostTools));
  if (options.hideLockedTools === undefined) assertCanRefuse(hostTools, lockable);
  const tools = Object.fromEntries([
    ...skillset.tools(catalog).map((tool) => [tool.name, toAiTool(tool, state)] as const),
    ...Object.entries(hostTools).map(([name, tool]) => [name, gate(name, tool)] as const),
  ]);

  function gate(name: string, tool: ToolSet[string]): ToolSet[string] {
    const openedBy = lockable.get(name);
    if (openedBy === undefined) return tool;
    return gateTool(tool, {
      openedBy,
      assertOpen(messages) {
        if (!skillset.toolAccess(catalog, state.of(messages), name).open) throw lockedToolError(name, openedBy, toolNames);
      },
    });
  }

  function prepareStepAmong(others: readonly string[]): AiSdkPrepareStep {
    return hideLockedTools({
      always: [...Object.keys(tools).filter((name) => !lockable.has(name)), ...others],
      lockable: options.hideLockedTools === undefined ? [] : [...lockable.keys()],
      openIn: (messages) => {
        const now = state.of(messages);
        return (name) => skillset.toolAccess(catalog, now, name).open;
      },
    });
  }

  return {
    catalog,
    tools: tools as TOOLS,
    instructions: (base) => skillset.instructions(catalog, base),
    prepareStep: prepareStepAmong(otherTools),
    state: (messages) => state.of(messages),
    agentSettings<OTHER extends ToolSet = {}>({ instructions, tools: others }: AiSdkAgentSettingsOptions<OTHER> = {}): AiSdkAgentSettings<
      TOOLS & NoInfer<OTHER>
    > {
      const names = Object.keys(others ?? {});
      assertNoReservedToolNames(names, toolNames);
      assertNotTwice(names, hostTools);
      return {
        instructions: skillset.instructions(catalog, instructions),
        tools: { ...tools, ...others } as TOOLS & NoInfer<OTHER>,
        prepareStep: prepareStepAmong([...otherTools, ...names]),
      };
    },
  };
}

/** Tools that are locked at the start of a conversation, with the skills that open them. */
function lockableTools<Context>(
  skillset: Skillset<Context>,
  catalog: SkillCatalog<Context>,
  names: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const lockable = new Map<string, readonly string[]>();
  for (const name of names) {
    const access = skillset.toolAccess(catalog, emptySkillState, name);
    if (!access.open) lockable.set(name, access.openedBy);
  }
  return lockable;
}

function assertCanRefuse(tools: ToolSet, lockable: ReadonlyMap<string, readonly string[]>): void {
  for (const [name, openedBy] of lockable) {
    if (tools[name]?.execute !== undefined) continue;
    throw new SkillError(
      'invalid-options',
      `The tool ${JSON.stringify(name)} is to be locked until the skill ${openedBy.map((skill) => JSON.stringify(skill)).join(' or ')} is loaded, but it has no execute in which it could refuse. Give aiSdkSkills the option hideLockedTools, or keep the tool out of its tools.`,
    );
  }
}

/** The second would stand in the place of the first, which refuses while it is locked. */
function assertNotTwice(names: readonly string[], hostTools: ToolSet): void {
  const twice = names.find((name) => Object.hasOwn(hostTools, name));
  if (twice !== undefined) {
    throw new SkillError(
      'invalid-options',
      `The tool ${JSON.stringify(twice)} was given to aiSdkSkills and to agentSettings. Give it to one of them.`,
    );
  }
}
