import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillState } from '@repertoire/skills-core';
import { arrangeTools, loadedSkillNames, modelAskedFor } from '@repertoire/skills-core/adapter';
import type { ModelRequest } from 'langchain';
import { assertNoOtherSkillTools, closingIfFailed, type BoundTools } from '../binding/bound-tools.ts';
import { runOf } from '../binding/skills-run.ts';
import { endHostCalls } from '../messages/end-host-calls.ts';
import { modelTools } from '../tools/model-tools.ts';
import { failedEvent } from '../tools/stream-skill-events.ts';
import type { SkillsMiddlewareOptions } from './skills-middleware-options.ts';
import { withCatalog } from './system-message.ts';

/** Gives a model call the catalog, the tools and the messages of its conversation. */
export function wrapModelCall<Context>(bound: BoundTools<Context>, options: SkillsMiddlewareOptions<Context>) {
  const { binding, skillTools } = bound;
  const { load } = binding.skillset.toolNames;
  return async <Request extends ModelRequest, Answer>(
    request: Request,
    handler: (request: Request) => Answer | Promise<Answer>,
  ): Promise<Answer> => {
    const { runtime, state } = request;
    const run = runOf(runtime);
    assertNoOtherSkillTools(bound, request.tools);
    return closingIfFailed(binding, state, run, async () => {
      const conversation = await binding.enter(state, run);
      const { session } = conversation;
      const skills = conversation.skills({ messages: request.messages, state: conversation.loaded });
      const tools = await arrangeTools<Request['tools'][number] | StructuredToolInterface>({
        session,
        state: skills,
        tools: request.tools,
        skillTools: skillTools.map(({ name }) => name),
        toolsOfSkills: await conversation.toolsOfSkills((skill, error) => runtime.writer?.(failedEvent(load, skill, error))),
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
        messages: [...endHostCalls(messages, model, load)],
        tools: modelTools(session, tools),
        modelSettings: withSkillNames(request.modelSettings, skills),
      });
    });
  };
}

function withSkillNames(settings: Record<string, unknown> | undefined, skills: SkillState): Record<string, unknown> {
  const names = loadedSkillNames(skills);
  if (names.length === 0) return { ...settings };
  return { ...settings, metadata: { ...(settings?.['metadata'] as object | undefined), skills: names } };
}
