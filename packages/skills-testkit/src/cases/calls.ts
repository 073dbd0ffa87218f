import type { SkillProvider } from '@repertoire/skills-core';

/** A call of one of the methods, which a case makes when it needs it. */
export interface ProviderCall {
  readonly method: 'listSkills' | 'getSkill' | 'readResource' | 'contentOf';
  call(): Promise<unknown>;
}

/** The calls of the contract: list, skill, file, and content if the provider has it. */
export function callsOf(provider: SkillProvider, name: string, path: string, signal?: AbortSignal): ProviderCall[] {
  const options = signal === undefined ? undefined : { signal };
  return [
    { method: 'listSkills', call: () => provider.listSkills(options) },
    { method: 'getSkill', call: () => provider.getSkill(name, options) },
    { method: 'readResource', call: () => provider.readResource(name, path, options) },
    ...(provider.contentOf === undefined
      ? []
      : [{ method: 'contentOf' as const, call: () => provider.contentOf?.(name, options) ?? Promise.resolve() }]),
  ];
}
