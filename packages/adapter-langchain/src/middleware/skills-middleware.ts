import { StateSchema } from '@langchain/langgraph';
import type { SkillProvider, Skillset } from '@repertoire/skills-core';
import { assertKnownOptions } from '@repertoire/skills-core/internal';
import { createMiddleware, type AgentMiddleware } from 'langchain';
import * as z from 'zod/v4';
import { bindSkills } from '../binding/bind-skills.ts';
import { boundTools } from '../binding/bound-tools.ts';
import type { SkillsArguments } from '../binding/skills-options.ts';
import { runOf } from '../binding/skills-run.ts';
import { renewSkills } from '../graph/renew-skills.ts';
import { skillsState, skillsStateOf, type SkillsStateFields } from '../state/skills-state.ts';
import { beginRun } from './begin-run.ts';
import { knownMiddlewareOptions, type SkillsMiddlewareOptions } from './skills-middleware-options.ts';
import { wrapModelCall } from './wrap-model-call.ts';
import { wrapToolCall } from './wrap-tool-call.ts';

/** The state that the middleware adds: `loaded_skills` and `loaded_tools`. */
export type SkillsStateSchema = StateSchema<SkillsStateFields>;

/** The middleware, for the list of `createAgent`. */
export type SkillsMiddleware = AgentMiddleware<SkillsStateSchema, undefined, unknown, readonly []>;

/**
 * Connects a skillset to an agent of LangChain's `createAgent`: the catalog at the end of the
 * system prompt, the skill tools, and the rules that apply while a skill is loaded. One middleware
 * serves any number of concurrent conversations. What is loaded is in the graph's state, so a
 * checkpointer keeps it.
 *
 * A tool that a skill names can be called from the step after the load.
 *
 * @throws {SkillError} `reserved-tool-name` if a tool of the host has the name of a skill tool;
 *   `invalid-options` for an unknown option
 * @example
 * ```ts
 * import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
 * import { skillsMiddleware } from '@repertoire/adapter-langchain';
 * import { createSkillset, defineSkill } from '@repertoire/skills-core';
 * import { createAgent } from 'langchain';
 *
 * const skillset = createSkillset({
 *   skills: [defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.', body: 'Five, seven, five.' })],
 * });
 *
 * export async function answer(model: BaseChatModel, prompt: string): Promise<string> {
 *   const agent = createAgent({ model, systemPrompt: 'You are a helpful assistant.', middleware: [skillsMiddleware(skillset)] });
 *   const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] });
 *   return messages.at(-1)?.text ?? '';
 * }
 * ```
 */
export function skillsMiddleware<Context = undefined>(
  source: Skillset<Context> | SkillProvider,
  ...[options = {}]: SkillsArguments<Context, SkillsMiddlewareOptions<Context>>
): SkillsMiddleware {
  assertKnownOptions('skillsMiddleware', options, knownMiddlewareOptions);
  const binding = bindSkills(source, options);
  const { skillset, channels } = binding;
  const bound = boundTools(binding);
  const fields = options.namespace === undefined ? skillsState : skillsStateOf(options.namespace);
  const stateSchema = new StateSchema({ ...(fields as SkillsStateFields), [channels['_skill_run']]: z.string().optional() });

  const middleware = createMiddleware<typeof stateSchema, typeof options.contextSchema>({
    name: options.name ?? (options.namespace === undefined ? 'RepertoireSkills' : `RepertoireSkills_${options.namespace}`),
    stateSchema,
    ...(options.contextSchema !== undefined && { contextSchema: options.contextSchema }),
    tools: [...bound.skillTools, ...bound.hostTools],

    beforeAgent: async (state, runtime) => beginRun(binding, options, state, runtime),

    // A node of its own in the graph, so only where it has something to do.
    ...(skillset.renewsChanged && {
      async beforeModel(state: unknown, runtime: unknown) {
        return (await renewSkills(binding, await binding.enter(state, runOf(runtime)))) ?? undefined;
      },
    }),

    wrapModelCall: wrapModelCall(bound, options),

    wrapToolCall: wrapToolCall(binding),

    ...(binding.toolsOfSkills.any && {
      async afterAgent(state: unknown, runtime: unknown) {
        await binding.close(state, runOf(runtime));
      },
    }),
  });
  return middleware as unknown as SkillsMiddleware;
}
