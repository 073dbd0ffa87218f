import { createSkillset, SkillRegistry, type OpenRequest, type SkillsetOptions } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';

interface Tenant {
  readonly tier: 'gold' | 'basic';
}

const skills = [{ name: 'refunds', description: 'Gives money back.', body: 'Ask first.' }];
/** As a host in JavaScript opens it: no compiler says what is missing. */
const openUntyped = async (options: Partial<SkillsetOptions<Tenant>>, request?: OpenRequest<Tenant>) =>
  await (createSkillset({ skills, ...options }) as unknown as { open(given?: object): Promise<unknown> }).open(request);
const refusal = (hook: string) => ({
  code: 'invalid-options',
  message: expect.stringContaining(`\`audience.${hook}\` takes a context`) as string,
});

describe('GOV-10: a skillset with a context is not opened without one', () => {
  it('which is an error of the compiler', async () => {
    const tenants = createSkillset<Tenant>({ skills });
    // @ts-expect-error: the context is missing
    await tenants.open();
    // @ts-expect-error: the context is missing
    await tenants.open({});
    // @ts-expect-error: it is another one
    await tenants.open({ context: { tier: 'silver' } });
    await tenants.open({ context: { tier: 'gold' } });
    await createSkillset({ skills }).open();
    await createSkillset<unknown>({ skills }).open();
    expect((await createSkillset<Tenant | undefined>({ skills }).open({ context: undefined })).catalog.skills).toHaveLength(1);
  });

  it('and one of the run, where a hook would judge for nobody', async () => {
    const select = (_: unknown, tenant: Tenant) => tenant?.tier === 'gold';
    await expect(openUntyped({ audience: { select } })).rejects.toMatchObject(refusal('select'));
    await expect(openUntyped({ audience: { tools: select } }, {})).rejects.toMatchObject(refusal('tools'));
    await expect(openUntyped({ audience: { permissions: ({ context }) => context?.tier === 'gold' } })).rejects.toMatchObject(
      refusal('permissions'),
    );
  });

  it('unless the host says that there is none, or no hook looks at it', async () => {
    const select = (_: unknown, tenant: Tenant) => tenant?.tier === 'gold';
    await expect(openUntyped({ audience: { select } }, { context: undefined })).resolves.toMatchObject({ catalog: { skills: [] } });
    await expect(openUntyped({ audience: { select: () => true, permissions: ({ skill }) => skill.name !== '' } })).resolves.toMatchObject({
      catalog: { skills: [{ name: 'refunds' }] },
    });
  });

  it('a provider alone needs none', async () => {
    expect((await createSkillset({ provider: new SkillRegistry({ skills }) }).open()).catalog.skills).toHaveLength(1);
  });
});
