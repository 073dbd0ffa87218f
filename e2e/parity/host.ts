import type { SkillProvider } from '@repertoire/skills-core';
import type { SkillAdapterUnderTest } from '@repertoire/skills-testkit/adapter';
import { playConversation, playReference, type ModelCall, type ParityVariant } from '@repertoire/skills-testkit/internal';

/** One host: plays the conversation over a provider, and returns what the model was given in each call. */
export interface ParityHost {
  readonly name: string;
  play(provider: SkillProvider, variant: ParityVariant): Promise<readonly ModelCall[]>;
}

/** The core alone: a loop of your own, as the guides have it. */
export const plainHost: ParityHost = { name: 'plain', play: playReference };

/** An adapter, through the same code that `testSkillAdapter` runs. */
export function hostOf(adapter: SkillAdapterUnderTest): ParityHost {
  return { name: adapter.name, play: async (provider, variant) => await playConversation(adapter, provider, variant) };
}
