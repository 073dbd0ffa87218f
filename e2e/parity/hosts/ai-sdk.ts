import { aiSdkSkills, localTools } from '@repertoire/adapter-vercel-ai';
import { emptySkillState, type SkillProvider, type SkillState } from '@repertoire/skills-core';
import { scriptedModel, type ScriptedModelCall, type ScriptedTurn } from '@repertoire/skills-testkit/ai-sdk';
import { generateText, isStepCount, jsonSchema, streamText, tool, ToolLoopAgent, type ModelMessage, type ToolSet } from 'ai';
import {
  basePrompt,
  broughtTools,
  context,
  conversationOf,
  hostTools,
  paritySkillset,
  reattach,
  runFork,
  type HostTool,
  type ModelStep,
  type ParityVariant,
} from '../conversation.ts';
import type { ModelCall, NeutralMessage, ParityHost } from '../record.ts';

type Skills = Awaited<ReturnType<typeof skillsOf>>;
type Settings = ReturnType<Skills['agentSettings']>;
/** One request: the messages that came of it. */
type Ask = (model: ReturnType<typeof scriptedModel>, settings: Settings, messages: ModelMessage[]) => Promise<readonly ModelMessage[]>;

const stopWhen = isStepCount(20);

/** `generateText` of the AI SDK; the server keeps the state, as a chat route does. */
export const generateTextHost: ParityHost = {
  name: 'AI SDK generateText',
  play: (provider, variant) =>
    play(
      provider,
      variant,
      async (model, settings, messages) => (await generateText({ model, messages, stopWhen, ...settings })).responseMessages,
    ),
};

/** The same with `streamText`. */
export const streamTextHost: ParityHost = {
  name: 'AI SDK streamText',
  play: (provider, variant) =>
    play(
      provider,
      variant,
      async (model, settings, messages) => await streamText({ model, messages, stopWhen, ...settings }).responseMessages,
    ),
};

/** The same with `ToolLoopAgent`. */
export const toolLoopAgentHost: ParityHost = {
  name: 'AI SDK ToolLoopAgent',
  play: (provider, variant) =>
    play(provider, variant, async (model, settings, messages) => {
      const agent = new ToolLoopAgent({ model, stopWhen, ...settings });
      return (await agent.generate({ messages })).responseMessages;
    }),
};

async function play(provider: SkillProvider, variant: ParityVariant, ask: Ask): Promise<readonly ModelCall[]> {
  const skillset = paritySkillset(provider, variant);
  const recorded: ModelCall[] = [];
  const state = { current: emptySkillState };
  let history: ModelMessage[] = [];

  for (const event of conversationOf(variant)) {
    if ('summary' in event) {
      const turns = history.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
      history = [{ role: 'user', content: event.summary }, ...history.slice(turns.at(-event.keepTurns))];
      continue;
    }
    history.push({ role: 'user', content: event.user });
    // As a route does: all of it made anew for each request, from what was kept.
    const skills = await skillsOf(skillset, state, variant);
    const settings = skills.agentSettings({ instructions: basePrompt });
    const model = scriptedModel(event.model.map(turnOf));
    const states: SkillState[] = [];
    const watched: Settings = {
      ...settings,
      prepareStep: async (step) => {
        const prepared = await settings.prepareStep(step);
        states.push(structuredClone(skills.state(prepared?.messages ?? step.messages)));
        return prepared;
      },
    };
    history.push(...(await ask(model, watched, history)));
    recorded.push(...model.calls.map((call, index) => callOf(call, states[index] ?? emptySkillState)));
  }
  return recorded;
}

function skillsOf(skillset: ReturnType<typeof paritySkillset>, state: { current: SkillState }, variant: ParityVariant) {
  return aiSdkSkills(skillset, {
    tools: sdkTools,
    state,
    context,
    reattach,
    ...(variant === 'extended' && { gate: 'hide', fork: runFork, toolSources: [localTools({ map: sdkBroughtTools })] }),
  });
}

function sdkTool({ description, inputSchema, run }: HostTool): ToolSet[string] {
  return tool({ description, inputSchema: jsonSchema<{ order: string }>(inputSchema), execute: (input) => run(input) });
}

/** The tools of the host. */
export const sdkTools: ToolSet = Object.fromEntries(hostTools.map((given) => [given.name, sdkTool(given)]));
/** Those that skills bring, by their paths. */
export const sdkBroughtTools: ToolSet = Object.fromEntries(Object.entries(broughtTools).map(([path, given]) => [path, sdkTool(given)]));

export function turnOf(step: ModelStep): ScriptedTurn {
  return typeof step === 'string' ? { text: step } : { toolCalls: step.map(([toolName, input]) => ({ toolName, input })) };
}

export function callOf({ prompt, tools = [] }: ScriptedModelCall, state: SkillState): ModelCall {
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

/** Drops the envelope of the SDK: parts of a message, ids, and whether an output is `text` or `error-text`. */
function neutral(message: ScriptedModelCall['prompt'][number]): NeutralMessage[] {
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
