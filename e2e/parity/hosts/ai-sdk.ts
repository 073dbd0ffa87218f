import { aiSdkSkills, localTools } from '@repertoire/adapter-vercel-ai';
import { emptySkillState, type SkillState } from '@repertoire/skills-core';
import type {
  AdapterMessage,
  AdapterModelStep,
  AdapterTool,
  GivenToModel,
  SkillAdapterUnderTest,
} from '@repertoire/skills-testkit/adapter';
import { scriptedModel, type ScriptedModelCall, type ScriptedTurn } from '@repertoire/skills-testkit/ai-sdk';
import { generateText, isStepCount, jsonSchema, streamText, tool, ToolLoopAgent, type ModelMessage, type ToolSet } from 'ai';

type Settings = ReturnType<Awaited<ReturnType<typeof aiSdkSkills>>['agentSettings']>;
/** One request: the messages that came of it. */
type Ask = (model: ReturnType<typeof scriptedModel>, settings: Settings, messages: ModelMessage[]) => Promise<readonly ModelMessage[]>;

const stopWhen = isStepCount(20);

/** `generateText` of the AI SDK; the server keeps the state, as a chat route does. */
export const generateTextAdapter: SkillAdapterUnderTest = adapterOf(
  'AI SDK generateText',
  async (model, settings, messages) => (await generateText({ model, messages, stopWhen, ...settings })).responseMessages,
);

/** The same with `streamText`. */
export const streamTextAdapter: SkillAdapterUnderTest = adapterOf(
  'AI SDK streamText',
  async (model, settings, messages) => await streamText({ model, messages, stopWhen, ...settings }).responseMessages,
);

/** The same with `ToolLoopAgent`. */
export const toolLoopAgentAdapter: SkillAdapterUnderTest = adapterOf('AI SDK ToolLoopAgent', async (model, settings, messages) => {
  const agent = new ToolLoopAgent({ model, stopWhen, ...settings });
  return (await agent.generate({ messages })).responseMessages;
});

function adapterOf(name: string, request: Ask): SkillAdapterUnderTest {
  return {
    name,
    extended: true,
    converse({ skillset, context, instructions, tools, gate, restore, fork, toolsOfSkills, history, state, rubbish, model }) {
      const box = state === undefined ? undefined : { current: state };
      let messages: ModelMessage[] = history.map(messageOf);
      return {
        async ask(text) {
          messages.push({ role: 'user', content: text });
          // As a route does: all of it made anew for each request, from what was kept.
          const skills = await aiSdkSkills(skillset, {
            tools: sdkTools(tools),
            state: box,
            context,
            gate,
            restore,
            fork,
            toolSources: [localTools({ map: sdkToolsOfSkills(toolsOfSkills) })],
            kept: rubbish as never,
          });
          const settings = skills.agentSettings({ instructions });
          let shown: readonly ModelMessage[] = messages;
          const watched: Settings = {
            ...settings,
            prepareStep: async (step) => {
              const prepared = await settings.prepareStep(step);
              shown = prepared?.messages ?? step.messages;
              return prepared;
            },
          };
          const scripted = scriptedModel(async (call) =>
            turnOf(await model(givenOf(call, () => structuredClone(skills.state([...shown]))))),
          );
          messages.push(...(await request(scripted, watched, messages)));
        },
        cut(summary, keepTurns) {
          messages = cutMessages(messages, summary, keepTurns);
        },
      };
    },
  };
}

/** The history behind a cut. */
export function cutMessages(messages: readonly ModelMessage[], summary: string, keepTurns: number): ModelMessage[] {
  const turns = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  return [{ role: 'user', content: summary }, ...messages.slice(turns.at(-keepTurns))];
}

function sdkTool({ description, inputSchema, run }: AdapterTool): ToolSet[string] {
  return tool({ description, inputSchema: jsonSchema<Record<string, unknown>>(inputSchema), execute: (input) => run(input) });
}

/** The tools of the host. */
export const sdkTools = (tools: readonly AdapterTool[]): ToolSet => Object.fromEntries(tools.map((given) => [given.name, sdkTool(given)]));
/** Those that skills bring, by their paths. */
export const sdkToolsOfSkills = (tools: Readonly<Record<string, AdapterTool>>): ToolSet =>
  Object.fromEntries(Object.entries(tools).map(([path, given]) => [path, sdkTool(given)]));

export function turnOf(step: AdapterModelStep): ScriptedTurn {
  return typeof step === 'string' ? { text: step } : { toolCalls: step.map(([toolName, input]) => ({ toolName, input })) };
}

export function givenOf({ prompt, tools = [] }: ScriptedModelCall, state: () => SkillState = () => emptySkillState): GivenToModel {
  return {
    system: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join(''),
    tools: tools.flatMap((given) =>
      given.type === 'function'
        ? [{ name: given.name, description: given.description ?? '', schema: JSON.stringify(given.inputSchema) }]
        : [],
    ),
    messages: prompt.flatMap(neutral),
    state,
  };
}

/** Each result of a given history stands right behind the message that calls its tool. */
function messageOf(message: AdapterMessage, index: number): ModelMessage {
  switch (message.from) {
    case 'user':
      return { role: 'user', content: message.text };
    case 'model':
      return {
        role: 'assistant',
        content: message.calls.map(({ tool: toolName, input }) => ({
          type: 'tool-call',
          toolCallId: `said-${index + 1}`,
          toolName,
          input,
        })),
      };
    case 'tool': {
      const output = { type: 'text' as const, value: message.text };
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId: `said-${index}`, toolName: message.tool, output }] };
    }
  }
}

/**
 * Drops the envelope of the SDK: parts of a message, ids, and whether an output is `text` or
 * `error-text`.
 */
function neutral(message: ScriptedModelCall['prompt'][number]): AdapterMessage[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return [{ from: 'user', text: textOf(message.content) }];
    case 'assistant': {
      const calls = message.content.flatMap((part) => (part.type === 'tool-call' ? [{ tool: part.toolName, input: part.input }] : []));
      return [{ from: 'model', text: textOf(message.content), calls }];
    }
    case 'tool':
      return message.content.flatMap((part) => {
        if (part.type !== 'tool-result') return [];
        const { output } = part;
        const text = output.type === 'text' || output.type === 'error-text' ? output.value : JSON.stringify(output);
        return [{ from: 'tool', tool: part.toolName, text }];
      });
  }
}

function textOf(parts: readonly { readonly type: string }[]): string {
  return parts.flatMap((part) => ('text' in part && part.type === 'text' ? [String(part.text)] : [])).join('');
}
