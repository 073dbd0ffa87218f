import { AIMessage, ToolMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { StateSchema } from '@langchain/langgraph';
import type { Skillset, SkillState } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/state';
import { createMiddleware, type AgentMiddleware } from 'langchain';
import * as z from 'zod/v4';
import { bindSkills, type SkillsBinding } from '../binding/bind-skills.ts';
import { runOf, type SkillsRun } from '../binding/skills-run.ts';
import { loadCommand } from '../graph/load-command.ts';
import { refreshSkills } from '../messages/refresh-skills.ts';
import { withMissingSkills } from '../messages/with-missing-skills.ts';
import { keptSkillState, readable } from '../state/skill-state-of.ts';
import { skillsState, type SkillsStateFields } from '../state/skills-state.ts';
import { arrangeTools } from '../tools/arrange-tools.ts';
import { gateTool } from '../tools/gate-tool.ts';
import { refusalOf, refuseCall } from '../tools/refuse-call.ts';
import { failedEvent } from '../tools/stream-skill-events.ts';
import { toLangChainTool } from '../tools/to-langchain-tool.ts';
import { callBroughtTool } from './call-brought-tool.ts';
import type { SkillsMiddlewareOptions } from './skills-middleware-options.ts';
import { withCatalog } from './system-message.ts';

/** The state that the middleware adds to an agent: what is loaded, by `result.loaded_skills` and `result.loaded_tools`. */
export type SkillsStateSchema = StateSchema<SkillsStateFields>;

/** The middleware, for the list of `createAgent`. */
export type SkillsMiddleware = AgentMiddleware<SkillsStateSchema, undefined, unknown, readonly []>;

/**
 * Brings a skillset to an agent of LangChain's `createAgent`: the catalog at the end of the system prompt, the skill tools, and the rules that hold while a skill is
 * loaded. One middleware serves any number of conversations at once: what is loaded stands in the graph's own state, so it survives wherever a checkpointer does.
 *
 * A tool that a skill names may be called from the step after that skill was loaded.
 *
 * @throws {SkillError} `reserved-tool-name` for a host's tool with the name of a skill tool
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
  skillset: Skillset<Context>,
  options: SkillsMiddlewareOptions<Context> = {},
): SkillsMiddleware {
  const binding = bindSkills(skillset, options, options.reattach ?? {});
  const refuse = refuseCall(binding, (config) => (config as { readonly state?: unknown } | undefined)?.state);
  const hostTools = binding.hostTools.map((tool) => gateTool(tool, refuse));
  const skillTools = binding.definitions.map((definition) => toLangChainTool(definition, binding));
  const guardAll = options.guardAllTools ?? skillset.allowedTools === 'restrict';

  const stateSchema = new StateSchema({ ...skillsState, _skill_run: z.string().optional() });
  const middleware = createMiddleware<typeof stateSchema, typeof options.contextSchema>({
    name: options.name ?? 'RepertoireSkills',
    stateSchema,
    ...(options.contextSchema !== undefined && { contextSchema: options.contextSchema }),
    tools: [...skillTools, ...hostTools],

    async beforeAgent(state, runtime) {
      const keep =
        options.catalog !== undefined || (options.catalogLasts !== 'run' && (readable(state)['_skill_catalog'] ?? null) !== null);
      const update = {
        ...(!keep && { _skill_catalog: await binding.readCatalog(runOf(runtime)) }),
        ...(binding.brought.any && { _skill_run: crypto.randomUUID() }),
      };
      if (options.commands !== true) return update;
      return { ...update, ...(await loadCommand(binding, { ...state, ...update }, runtime as RunnableConfig)) };
    },

    async wrapModelCall(request, handler) {
      const run = runOf(request.runtime);
      const catalog = await binding.catalogOf(request.state, run);
      const skills = binding.stateOf(request.state, request.messages);
      const { load } = skillset.toolNames;
      const brought = await binding.brought.of(catalog, skills, request.state, run, (skill, error) =>
        request.runtime.writer?.(failedEvent(load, skill, error)),
      );
      const tools = arrangeTools(request.tools, {
        skillset,
        catalog,
        skills,
        loadedTools: readable(request.state).loaded_tools ?? {},
        skillTools: skillTools.map(({ name }) => name),
        lockable: hostTools.map(({ name }) => name),
        brought: brought as typeof request.tools,
        hideLocked: options.gate === 'bind',
      });
      return handler({
        ...request,
        model: modelFor(binding, catalog, skills, options) ?? request.model,
        systemMessage: withCatalog(
          request.systemMessage,
          [catalog.text, await skillset.activeInstructions(catalog, skills, { signal: run.signal })],
          options.cacheControl,
        ),
        messages:
          options.reattach === false
            ? request.messages
            : await withMissingSkills(request.messages, { skillset, catalog, skills, options: options.reattach, signal: run.signal }),
        tools: describedBy(skillset.tools(catalog), tools),
        modelSettings: withSkillNames(request.modelSettings, skills),
      });
    },

    ...(options.refresh === true && {
      async beforeModel(state: unknown, runtime: unknown) {
        const run = runOf(runtime);
        const catalog = await binding.catalogOf(state, run);
        return (await refreshSkills(skillset, catalog, binding.stateOf(state), readable(state).messages ?? [], run.signal)) ?? undefined;
      },
    }),

    ...(guardAll && {
      afterModel: {
        canJumpTo: ['model' as const],
        hook: (state: unknown, runtime: unknown) => refuseCalls(binding, state, runOf(runtime)),
      },
    }),

    ...(binding.brought.any && {
      wrapToolCall: callBroughtTool(binding),
      async afterAgent(state: unknown, runtime: unknown) {
        await binding.brought.close(state, runOf(runtime));
      },
    }),
  });
  return middleware as unknown as SkillsMiddleware;
}

function modelFor<Context>(
  { skillset }: SkillsBinding<Context>,
  catalog: Parameters<Skillset<Context>['modelOverride']>[0],
  skills: SkillState,
  { models = {}, onDiagnostic }: SkillsMiddlewareOptions<Context>,
) {
  const name = skillset.modelOverride(catalog, skills);
  if (name === undefined) return undefined;
  if (Object.hasOwn(models, name)) return models[name];
  onDiagnostic?.({
    severity: 'warning',
    code: 'skill-model',
    message: `A loaded skill asks for the model ${JSON.stringify(name)}, which has no name here. The agent's own is used.`,
    fix: 'Give skillsMiddleware the option models.',
  });
  return undefined;
}

/** Answers the calls that may not be made, and lets the others run. Where none is left, the model is asked again. */
async function refuseCalls<Context>(binding: SkillsBinding<Context>, state: unknown, run: SkillsRun) {
  const messages = readable(state).messages ?? [];
  const index = messages.findLastIndex((message) => AIMessage.isInstance(message));
  const last = messages[index];
  if (last === undefined || !AIMessage.isInstance(last) || !last.tool_calls?.length) return undefined;
  const answered = new Set(messages.slice(index + 1).flatMap((message) => (ToolMessage.isInstance(message) ? [message.tool_call_id] : [])));
  const open = last.tool_calls.filter(({ id }) => id !== undefined && !answered.has(id));
  const refusals = await Promise.all(
    open.map(async ({ id = '', name, args }) => {
      const error = await refusalOf(binding, { name, input: args }, state, run, keptSkillState(state));
      return error === null ? [] : [new ToolMessage({ content: String(error), tool_call_id: id, name, status: 'error' })];
    }),
  );
  const refused = refusals.flat();
  if (refused.length === 0) return undefined;
  return { messages: refused, ...(refused.length === open.length && { jumpTo: 'model' as const }) };
}

/**
 * Where skills are listed in the description of the load tool, that differs from conversation to conversation, but an agent's tools may not be exchanged. A bare
 * definition may: it only tells the model; the registered tool runs.
 */
function describedBy<Tool>(definitions: ReturnType<Skillset['tools']>, tools: readonly Tool[]): Tool[] {
  return tools.map((tool) => {
    const { name, description } = tool as Partial<StructuredToolInterface>;
    const own = definitions.find((definition) => definition.name === name);
    if (own === undefined || own.description === description) return tool;
    return {
      type: 'function',
      function: { name: own.name, description: own.description, parameters: structuredClone(own.inputSchema) },
    } as Tool;
  });
}

/** Traces of the model call tell which skills were loaded. */
function withSkillNames(settings: Record<string, unknown> | undefined, skills: SkillState): Record<string, unknown> {
  const names = loadedSkillNames(skills);
  if (names.length === 0) return { ...settings };
  return { ...settings, metadata: { ...(settings?.['metadata'] as object | undefined), skills: names } };
}
