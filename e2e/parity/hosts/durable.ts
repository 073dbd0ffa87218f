import { aiSdkSkills, localTools } from '@repertoire/adapter-vercel-ai';
import { emptySkillState, type SkillProvider, type SkillState } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { durableAgent, type DurableAgent, type DurableEngine } from '@repertoire/skill-workflow/agent';
import { durableAiSdk } from '@repertoire/skill-workflow/ai-sdk';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import { Journal } from '../../durable/journal.ts';
import {
  availableTools,
  basePrompt,
  toolsOfSkills,
  context,
  conversationOf,
  hostTools,
  parityOptions,
  playPlain,
  restore,
  runFork,
  type ModelCall,
  type ParityVariant,
} from '@repertoire/skills-testkit/internal';
import type { ParityHost } from '../host.ts';
import { cutMessages, givenOf, sdkToolsOfSkills, sdkTools, turnOf } from './ai-sdk.ts';

/**
 * Writes down, outside of the run, what the model is given in a call of this number. On a replay
 * the model is not asked again.
 */
export type WriteDown = (at: number, given: ModelCall) => unknown;
/** Plays the conversation in a durable run. */
export type DurablePlay = (durable: DurableAgent, provider: SkillProvider, variant: ParityVariant, writeDown: WriteDown) => Promise<void>;

/** The loop of the core. */
export const playDurably: DurablePlay = async (durable, provider, variant, writeDown) => {
  const { session } = await durable.openSkills({ ...parityOptions(variant), provider }, { context, availableTools });
  let count = 0;
  await playPlain({
    opened: session,
    variant,
    ask: async (given, answer) => {
      const at = count;
      count += 1;
      return await durable.askModel(async () => {
        await writeDown(at, given);
        return answer;
      });
    },
    call: async (id, run) => await durable.callTool(id, async () => run()),
  });
};

/** `generateText` of the AI SDK. */
export const playAiSdkDurably: DurablePlay = async (durable, provider, variant, writeDown) => {
  const sdk = durableAiSdk(durable);
  const state = { current: emptySkillState };
  const states: SkillState[] = [];
  const script = conversationOf(variant).flatMap((event) => ('summary' in event ? [] : event.model));
  const model = scriptedModel(async (call) => {
    const at = states.length - 1;
    await writeDown(at, { ...givenOf(call), state: states[at] ?? emptySkillState });
    const { toolCalls = [], ...turn } = turnOf(script[at] ?? '');
    return { ...turn, toolCalls: toolCalls.map((each, index) => ({ ...each, toolCallId: `${at}-${index}` })) };
  });
  let history: ModelMessage[] = [];
  for (const event of conversationOf(variant)) {
    if ('summary' in event) {
      history = cutMessages(history, event.summary, event.keepTurns);
      continue;
    }
    history.push({ role: 'user', content: event.user });
    const { skillset, session } = await durable.openSkills({ ...parityOptions(variant), provider }, { context, availableTools });
    const skills = await aiSdkSkills(skillset, {
      session,
      tools: sdk.tools(sdkTools(hostTools)),
      state,
      context,
      restore,
      ...(variant === 'extended' && {
        gate: 'hide',
        fork: runFork,
        toolSources: [localTools({ map: sdk.tools(sdkToolsOfSkills(toolsOfSkills)) })],
      }),
    });
    const settings = sdk.settings({ model, ...skills.agentSettings({ instructions: basePrompt }) });
    const { responseMessages } = await generateText({
      ...settings,
      messages: history,
      stopWhen: isStepCount(20),
      prepareStep: async (step) => {
        const prepared = await settings.prepareStep(step);
        states.push(structuredClone(skills.state(prepared?.messages ?? step.messages)));
        return prepared;
      },
    });
    history.push(...responseMessages);
  }
};

/** After so many steps the process dies. */
const stepsOfALife = 9;

/** The conversation in a process that dies again and again, and goes on by its journal. */
function killedHost(name: string, play: DurablePlay): ParityHost {
  return {
    name,
    async play(provider, variant) {
      const journal = new Journal('order');
      const calls: ModelCall[] = [];
      for (let life = 1; ; life += 1) {
        const { promise: died, resolve: die } = Promise.withResolvers<'died'>();
        const engine = journal.engine('parity');
        let left = life * stepsOfALife;
        const mortal: DurableEngine = {
          ...engine,
          async runStep(id, work) {
            left -= 1;
            if (left < 0) {
              die('died');
              await new Promise(() => {});
            }
            return await engine.runStep(id, work);
          },
        };
        if ((await Promise.race([play(durableAgent(mortal), provider, variant, (at, given) => (calls[at] = given)), died])) !== 'died')
          return calls;
      }
    },
  };
}

export const durableHost: ParityHost = killedHost('a durable loop, killed and resumed', playDurably);
export const durableAiSdkHost: ParityHost = killedHost('a durable AI SDK generateText, killed and resumed', playAiSdkDurably);
