import { createSkillset } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { adkSkillRegistry, adkSkills } from '../src/adk.ts';
import { cloudflareSkillSource } from '../src/cloudflare.ts';
import { deepAgentsBackend } from '../src/deepagents.ts';
import { writeSkillFiles } from '../src/files.ts';
import { mastraSkills, mastraSkillSource } from '../src/mastra.ts';
import { lazySandboxSkills, sandboxSkillDescriptors } from '../src/openai-sandbox.ts';
import { tanstackSkillSource } from '../src/tanstack.ts';

const skills = [{ name: 'refunds', description: 'Gives money back.', body: 'Ask first.' }];
const tenants = createSkillset<'gold'>({ skills, audience: { select: (_skill, tenant) => tenant === 'gold' } });
const everybody = createSkillset({ skills });
const createSkill = ({ name }: { readonly name: string }) => name;
const search = {} as never;

describe('GOV-10: a bridge does not serve a skillset with a context for nobody', () => {
  it('which is an error of the compiler, and one of the run', async () => {
    const served: Readonly<Record<string, () => unknown>> = {
      // @ts-expect-error: the context is missing
      adkSkills: () => adkSkills(tenants),
      // @ts-expect-error: the context is missing
      adkSkillRegistry: () => adkSkillRegistry(tenants, { search }).getSkill('refunds'),
      // @ts-expect-error: the context is missing
      cloudflareSkillSource: () => cloudflareSkillSource(tenants).list(),
      // @ts-expect-error: the context is missing
      deepAgentsBackend: () => deepAgentsBackend(tenants).ls('/'),
      // @ts-expect-error: the context is missing
      writeSkillFiles: () => writeSkillFiles(tenants, { folder: '/nowhere' }),
      // @ts-expect-error: the context is missing
      mastraSkills: () => mastraSkills(tenants, { createSkill })({} as never),
      // @ts-expect-error: the context is missing
      mastraSkillSource: () => mastraSkillSource(tenants).readdir('/'),
      // @ts-expect-error: the context is missing
      sandboxSkillDescriptors: () => sandboxSkillDescriptors(tenants, {}),
      // @ts-expect-error: the context is missing
      lazySandboxSkills: () => lazySandboxSkills(tenants),
      // @ts-expect-error: the context is missing
      tanstackSkillSource: () => tanstackSkillSource(tenants, { availableTools: [] }).list(),
    };
    for (const [name, serve] of Object.entries(served)) {
      const outcome = await Promise.resolve()
        .then(serve)
        .then(
          // Some frameworks are given errors as values.
          (value) => String((value as { readonly error?: unknown }).error),
          (error: unknown) => String(error),
        );
      expect([name, outcome]).toEqual([name, expect.stringContaining('`audience.select` takes a context')]);
    }
  });

  it('and everything is served where there is one, or none is needed', async () => {
    expect(await sandboxSkillDescriptors(tenants, { context: 'gold' })).toHaveLength(1);
    expect(await mastraSkills(tenants, { createSkill, context: () => 'gold' })({} as never)).toEqual(['refunds']);
    expect(await adkSkills(everybody)).toHaveLength(1);
    expect(await adkSkills(everybody.provider)).toHaveLength(1);
    expect(await mastraSkills(everybody, { createSkill })({} as never)).toEqual(['refunds']);
  });
});
