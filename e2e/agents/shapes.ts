/** Values of the bridges in the types of their frameworks: it only has to compile. */
import type { SkillToolset } from '@google/adk';
import type { AgentSkillsInput } from '@mastra/core/skills';
import { createSkill } from '@mastra/core/skills';
import type { SkillSource as MastraSource } from '@mastra/core/workspace';
import type { SkillsArgs } from '@openai/agents-core/sandbox';
import { adkSkillRegistry, adkSkills } from '@repertoire/bridges/adk';
import { cloudflareSkillSource } from '@repertoire/bridges/cloudflare';
import { deepAgentsBackend } from '@repertoire/bridges/deepagents';
import { mastraSkills, mastraSkillSource } from '@repertoire/bridges/mastra';
import { lazySandboxSkills, sandboxSkillDescriptors } from '@repertoire/bridges/openai-sandbox';
import type { SkillProvider } from '@repertoire/skills-core';
import { createSkillSearch } from '@repertoire/skill-search';
import type { SkillSource as CloudflareSource } from 'agents/skills';
import type { BackendProtocolV2 } from 'deepagents';

type Toolset = ConstructorParameters<typeof SkillToolset>;

export const shapes = {
  mastraSource: (provider: SkillProvider): MastraSource => mastraSkillSource(provider),
  mastraSkills: (provider: SkillProvider): AgentSkillsInput => mastraSkills(provider, { createSkill }),
  cloudflare: (provider: SkillProvider): CloudflareSource => cloudflareSkillSource(provider),
  deepAgents: (provider: SkillProvider): BackendProtocolV2 => deepAgentsBackend(provider),
  adkSkills: async (provider: SkillProvider): Promise<Toolset[0]> => adkSkills(provider),
  adkRegistry: (provider: SkillProvider): NonNullable<NonNullable<Toolset[1]>['registry']> =>
    adkSkillRegistry(provider, { search: createSkillSearch(provider) }),
  descriptors: async (provider: SkillProvider): Promise<SkillsArgs> => ({ skills: await sandboxSkillDescriptors(provider) }),
  lazy: async (provider: SkillProvider): Promise<SkillsArgs> => ({ lazyFrom: await lazySandboxSkills(provider) }),
};
