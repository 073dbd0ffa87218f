import type { RunnableConfig } from '@langchain/core/runnables';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { isGraphBubbleUp, StateSchema } from '@langchain/langgraph';
import { SkillError, type SkillProvider, type Skillset, type SkillState } from '@repertoire/skills-core';
import { arrangeTools, loadedSkillNames } from '@repertoire/skills-core/adapter';
import { assertKnownOptions, modelAskedFor } from '@repertoire/skills-core/internal';
import { createMiddleware, type AgentMiddleware } from 'langchain';
import * as z from 'zod/v4';
import { bindSkills } from '../binding/bind-skills.ts';
import type { SkillsArguments } from '../binding/skills-options.ts';
import { runOf, type SkillsRun } from '../binding/skills-run.ts';
import { renewSkills } from '../graph/renew-skills.ts';
import { loadCommand } from '../graph/load-command.ts';
import { endHostCalls } from '../messages/end-host-calls.ts';
import { updateOf } from '../state/graph-state.ts';
import { skillsState, skillsStateOf, type SkillsStateFields } from '../state/skills-state.ts';
import { gateTool } from '../tools/gate-tool.ts';
import { modelTools } from '../tools/model-tools.ts';
import { refuseCall } from '../tools/refuse-call.ts';
import { failedEvent } from '../tools/stream-skill-events.ts';
import { toLangChainTool } from '../tools/to-langchain-tool.ts';
import { knownMiddlewareOptions, type SkillsMiddlewareOptions } from './skills-middleware-options.ts';
import { endSkills } from './end-skills.ts';
import { withCatalog } from './system-message.ts';
import { isSubAgentRun, ownState } from './sub-agent-state.ts';
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
  if (![undefined, 'conversation', 'run'].includes(options.activeFor))
    throw new SkillError('invalid-options', `activeFor is ${JSON.stringify(options.activeFor)}. Give 'conversation' or 'run'.`);
  const binding = bindSkills(source, options);
  const { skillset, channels } = binding;
  const refuse = refuseCall(binding);
  const hostTools = binding.hostTools.map((tool) => gateTool(tool, refuse));
  const skillTools = skillset.toolDescriptions.map((description) => toLangChainTool(description, binding));
  const fields = options.namespace === undefined ? skillsState : skillsStateOf(options.namespace);
  const stateSchema = new StateSchema({ ...(fields as SkillsStateFields), [channels['_skill_run']]: z.string().optional() });
  const closeBrought = (state: unknown, run: SkillsRun): Promise<void> => binding.brought.close(binding.idOf(state, run));

  const middleware = createMiddleware<typeof stateSchema, typeof options.contextSchema>({
    name: options.name ?? (options.namespace === undefined ? 'RepertoireSkills' : `RepertoireSkills_${options.namespace}`),
    stateSchema,
    ...(options.contextSchema !== undefined && { contextSchema: options.contextSchema }),
    tools: [...skillTools, ...hostTools],

    async beforeAgent(given, runtime) {
      const run = runOf(runtime);
      const own = isSubAgentRun(run) ? ownState(binding, given) : undefined;
      const state = own?.state ?? given;
      const kept = binding.read(state).kept === undefined ? (await binding.enter(state, run)).session.kept : undefined;
      const ended = own?.update ?? (options.activeFor === 'run' ? await endSkills(binding, state, run) : {});
      const update = {
        ...ended,
        ...(kept !== undefined && updateOf(channels, { _skill_session: kept })),
        ...(binding.brought.any && { [channels['_skill_run']]: crypto.randomUUID() }),
      };
      if (options.commands !== true) return update;
      return { ...update, ...(await loadCommand(binding, { ...state, ...update }, runtime as RunnableConfig)) };
    },

    // A node of its own in the graph, so only where it has something to do.
    ...(skillset.renewsChanged && {
      async beforeModel(state: unknown, runtime: unknown) {
        return (await renewSkills(binding, await binding.enter(state, runOf(runtime)))) ?? undefined;
      },
    }),

    async wrapModelCall(request, handler) {
      const run = runOf(request.runtime);
      const { state } = request;
      try {
        const conversation = await binding.enter(state, run);
        const { session } = conversation;
        const skills = conversation.skills({ messages: request.messages, kept: conversation.loaded });
        const brought = await conversation.broughtTools((skill, error) =>
          request.runtime.writer?.(failedEvent(skillset.toolNames.load, skill, error)),
        );
        const tools = await arrangeTools<(typeof request.tools)[number] | StructuredToolInterface>({
          session,
          state: skills,
          tools: request.tools,
          skillTools: skillTools.map(({ name }) => name),
          brought,
          hideClosed: options.gate === 'hide',
          nameOf: ({ name }) => String(name),
        });
        const active = await session.activeInstructions(skills, { signal: run.signal });
        const model = modelAskedFor(options.models, await session.model(skills), binding.report) ?? request.model;
        const { messages } = await conversation.shown(request.messages);
        return await handler({
          ...request,
          model,
          systemMessage: withCatalog(request.systemMessage, [session.catalog.text, active], options.cacheControl),
          messages: [...endHostCalls(messages, model, skillset.toolNames.load)],
          tools: modelTools(session, tools),
          modelSettings: withSkillNames(request.modelSettings, skills),
        });
      } catch (error) {
        // A failed run never reaches `afterAgent`. A retry opens connections again.
        if (!isGraphBubbleUp(error)) await closeBrought(state, run);
        throw error;
      }
    },

    wrapToolCall: wrapToolCall(binding),

    ...(binding.brought.any && {
      async afterAgent(state: unknown, runtime: unknown) {
        await closeBrought(state, runOf(runtime));
      },
    }),
  });
  return middleware as unknown as SkillsMiddleware;
}

function withSkillNames(settings: Record<string, unknown> | undefined, skills: SkillState): Record<string, unknown> {
  const names = loadedSkillNames(skills);
  if (names.length === 0) return { ...settings };
  return { ...settings, metadata: { ...(settings?.['metadata'] as object | undefined), skills: names } };
}
