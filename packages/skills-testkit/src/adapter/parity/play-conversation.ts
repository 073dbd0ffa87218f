import { emptySkillState, type SkillProvider } from '@repertoire/skills-core';
import type { SkillAdapterUnderTest } from '../adapter-under-test.ts';
import { conversationOf } from './conversation.ts';
import {
  basePrompt,
  toolsOfSkills,
  context,
  hostTools,
  paritySkillset,
  restore,
  runFork,
  type Happened,
  type ParityVariant,
} from './parity-world.ts';
import type { ModelCall } from './plain-loop.ts';

/** Plays the conversation with an adapter, and returns what the model was given in each call. */
export async function playConversation(
  adapter: SkillAdapterUnderTest,
  provider: SkillProvider,
  variant: ParityVariant,
  happened?: Happened,
): Promise<readonly ModelCall[]> {
  const events = conversationOf(variant);
  const script = events.flatMap((event) => ('summary' in event ? [] : event.model));
  const recorded: ModelCall[] = [];
  const conversation = await adapter.converse({
    skillset: paritySkillset(provider, variant, happened),
    context,
    instructions: basePrompt,
    tools: hostTools,
    gate: variant === 'extended' ? 'hide' : 'refuse',
    restore,
    fork: variant === 'extended' ? runFork : undefined,
    toolsOfSkills: variant === 'extended' ? toolsOfSkills : {},
    history: [],
    state: emptySkillState,
    claims: emptySkillState,
    rubbish: undefined,
    async model({ system, tools, messages, state }) {
      const step = script[recorded.length];
      if (step === undefined) throw new Error('The model was called once more after the last answer of its script.');
      // Copied now: a framework may go on writing into its messages.
      recorded.push(structuredClone({ system, tools, messages, state: await state() }));
      return step;
    },
  });
  for (const event of events) await ('summary' in event ? conversation.cut(event.summary, event.keepTurns) : conversation.ask(event.user));
  return recorded;
}
