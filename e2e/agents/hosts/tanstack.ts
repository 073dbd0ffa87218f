import { chat, convertSchemaToJsonSchema, toolDefinition, type ChatMiddleware, type Tool } from '@tanstack/ai';
import { tanstackSkillSource, type TanstackSkillSource } from '@repertoire/bridges/tanstack';
import { z } from 'zod';
import { basePrompt, question, refundTool, scriptFor, type AgentHost, type ScriptedCall, type SeenRequest } from '../conversation.ts';

/**
 * What `withSkills` does by its documentation, since its package is not published: a catalog behind the system prompt, and tools that load a skill and read a file.
 */
async function skillsOf(source: TanstackSkillSource): Promise<ChatMiddleware> {
  const skills = await source.list();
  const load_skill = toolDefinition({
    name: 'load_skill',
    description: 'Activate an available skill by name.',
    inputSchema: z.object({ name: z.string() }),
  }).server(async ({ name }) => ({ skill: name, content: await source.load(name), resources: await source.listResources(name) }));
  const read_skill_resource = toolDefinition({
    name: 'read_skill_resource',
    description: 'Read a bundled file of a skill.',
    inputSchema: z.object({ skill: z.string(), path: z.string() }),
  }).server(async ({ skill, path }) => ({ content: await source.readResource(skill, path) }));
  // Tools that are made so lack the optional members that exact optional types want.
  const tools = [load_skill, read_skill_resource] as unknown as Tool[];
  const catalog = skills.map(({ name, description }) => `- **${name}**: ${description}`).join('\n');
  return {
    name: 'skills',
    onConfig: (_context, config) =>
      config.tools.some(({ name }) => name === 'load_skill')
        ? undefined
        : { systemPrompts: [...config.systemPrompts, `# Skills\n\n${catalog}`], tools: [...config.tools, ...tools] },
  };
}

interface Request {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly systemPrompts?: readonly unknown[];
  readonly tools?: readonly { readonly name: string; readonly description: string; readonly inputSchema?: unknown }[];
}

/** A model that plays the script, as an adapter of TanStack AI streams it. */
function scriptedAdapter(script: readonly (ScriptedCall | string)[], requests: SeenRequest[]): object {
  return {
    kind: 'text',
    name: 'scripted',
    model: 'scripted',
    async *chatStream({ messages, systemPrompts = [], tools = [] }: Request) {
      const step = script[requests.length] ?? '';
      const id = `call-${requests.length}`;
      requests.push({
        system: systemPrompts.map((prompt) => (typeof prompt === 'string' ? prompt : JSON.stringify(prompt))).join('\n\n'),
        tools: JSON.stringify(tools.map((given) => ({ ...given, inputSchema: convertSchemaToJsonSchema(given.inputSchema as never) }))),
        results: messages.flatMap(({ role, content }) => (role === 'tool' ? [JSON.stringify(content)] : [])),
      });
      const run = { runId: id, threadId: 'thread', model: 'scripted', timestamp: 0 };
      yield { type: 'RUN_STARTED', ...run };
      if (typeof step === 'string') {
        yield { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant', ...run };
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta: step, ...run };
        yield { type: 'TEXT_MESSAGE_END', messageId: id, ...run };
        yield { type: 'RUN_FINISHED', finishReason: 'stop', ...run };
        return;
      }
      yield { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: step.tool, toolName: step.tool, index: 0, ...run };
      yield { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: JSON.stringify(step.input), ...run };
      yield { type: 'TOOL_CALL_END', toolCallId: id, toolName: step.tool, input: step.input, ...run };
      yield { type: 'RUN_FINISHED', finishReason: 'tool_calls', ...run };
    },
  };
}

/** TanStack AI over the bridge. */
export const tanstackHost: AgentHost = {
  framework: 'TanStack AI',
  by: 'bridge, `/tanstack`',
  async play(skillset, pay) {
    const requests: SeenRequest[] = [];
    const script = scriptFor({
      load: (name) => ({ tool: 'load_skill', input: { name } }),
      read: (skill, path) => ({ tool: 'read_skill_resource', input: { skill, path } }),
    });
    const refund = toolDefinition({ ...refundTool, inputSchema: z.object({ order: z.string() }) }).server(() => ({ text: pay() }));
    const stream = chat({
      adapter: scriptedAdapter(script, requests) as never,
      messages: [{ role: 'user', content: question }],
      systemPrompts: [basePrompt],
      tools: [refund],
      middleware: [await skillsOf(tanstackSkillSource(skillset))],
    });
    for await (const chunk of stream as AsyncIterable<{ type: string; message?: string }>) {
      if (chunk.type === 'RUN_ERROR') throw new Error(chunk.message);
    }
    return requests;
  },
};
