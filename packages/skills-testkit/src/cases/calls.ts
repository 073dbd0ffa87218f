import type { SkillProvider } from '@repertoire/skills-core';

/** A call of one of the three methods, which a case makes when it needs it. */
export interface ProviderCall {
  readonly method: 'listSkills' | 'getSkill' | 'readResource';
  call(): Promise<unknown>;
}

/** The three calls of the contract: the list, one skill, one file of it. */
export function callsOf(provider: SkillProvider, name: string, path: string, signal?: AbortSignal): ProviderCall[] {
  const options = signal === undefined ? undefined : { signal };
  return [
    { method: 'listSkills', call: () => provider.listSkills(options) },
    { method: 'getSkill', call: () => provider.getSkill(name, options) },
    { method: 'readResource', call: () => provider.readResource(name, path, options) },
  ];
}
