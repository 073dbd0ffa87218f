import { createSkillset } from '@repertoire/skills-core';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const skill = '---\nname: deploy\ndescription: Deploys. Use when asked to deploy.\n---\nRun it.\n';
const closing = 'policy:\n  allow_implicit_invocation: false\n';

/** A library of one skill with these settings. */
async function libraryWith(settings: string) {
  const folder = await temporaryFolder({ 'deploy/SKILL.md': skill, 'deploy/agents/openai.yaml': settings });
  return { folder, provider: fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 0 }) };
}

describe('SRC-1: agents/openai.yaml', () => {
  it('closes its skill to models, which a person can still start, and keeps what it says', async () => {
    const tools = 'dependencies:\n  tools:\n    - type: mcp\n      value: deploys\n';
    const { provider } = await libraryWith(`---\ninterface:\n  display_name: "Deploy it"\n${tools}${closing}`);
    const expected = {
      name: 'deploy',
      disableModelInvocation: true,
      fields: {
        openai: {
          interface: { display_name: 'Deploy it' },
          dependencies: { tools: [{ type: 'mcp', value: 'deploys' }] },
          policy: { allow_implicit_invocation: 'false' },
        },
      },
    };
    expect((await provider.listSkills()).skills).toMatchObject([expected]);
    expect(await provider.getSkill('deploy')).toMatchObject(expected);
    const session = await createSkillset({ provider, onDiagnostic: 'silent' }).open();
    const state = session.state([]);
    expect(session.catalog.text).not.toContain('deploy');
    expect((await session.load({ name: 'deploy' }, { state })).text).toContain('Run it.');
    expect((await session.invoke('/deploy', { state }))?.text).toContain('Run it.');
  });

  it.each([
    ['allow_implicit_invocation: true', 'policy:\n  allow_implicit_invocation: true\n'],
    ['no policy', 'interface:\n  brand_color: "#fff"\n'],
    ['an empty file', ''],
    ['flow style', 'policy: { allow_implicit_invocation: true }\n'],
    ['another form', 'policy: none\n'],
  ])('leaves it open: %s', async (_, settings) => {
    const { provider } = await libraryWith(settings);
    const { skills, diagnostics } = await provider.listSkills();
    expect([skills[0]?.disableModelInvocation, diagnostics]).toEqual([undefined, []]);
  });

  it.each([
    ['broken YAML that may say so', `interface: [\n${closing}`],
    ['several documents', `interface: {}\n---\n${closing}`],
    ['a policy twice', `policy: {}\n${closing}`],
    ['more than the limit of a frontmatter', `# ${'x'.repeat(70_000)}\n${closing}`],
    ['what takes long to parse', `${'a: [}]\n'.repeat(300)}${closing}`],
  ])('closes it, with a warning, for %s', async (_, settings) => {
    const { provider } = await libraryWith(settings);
    const { skills, diagnostics } = await provider.listSkills();
    expect(skills).toMatchObject([{ name: 'deploy', disableModelInvocation: true }]);
    expect(diagnostics).toMatchObject([{ code: 'openai-settings-unusable', severity: 'warning', skill: 'deploy' }]);
    expect(await provider.getSkill('deploy')).toMatchObject({ disableModelInvocation: true });
  });

  it('is seen when it comes, changes and goes', async () => {
    const { folder, provider } = await libraryWith('policy: {}\n');
    const isClosed = async () => (await provider.listSkills()).skills.map((each) => each.disableModelInvocation);
    expect(await isClosed()).toEqual([undefined]);
    await folder.write({ 'deploy/agents/openai.yaml': closing });
    expect(await isClosed()).toEqual([true]);
    expect(await provider.getSkill('deploy')).toMatchObject({ disableModelInvocation: true });
    await rm(folder.at('deploy/agents'), { recursive: true });
    expect(await isClosed()).toEqual([undefined]);
    await folder.write({ 'deploy/agents/openai.yaml': closing });
    expect(await isClosed()).toEqual([true]);
    const [first] = (await provider.listSkills()).skills;
    expect((await provider.listSkills()).skills[0]).toBe(first);
  });

  it('is no skill, and a file of that name elsewhere says nothing', async () => {
    const folder = await temporaryFolder({ 'deploy/SKILL.md': skill, 'deploy/openai.yaml': closing, 'agents/openai.yaml': closing });
    const { skills, diagnostics } = await fileSystemSkillProvider({ roots: [folder.path] }).listSkills();
    expect([skills.map((each) => each.disableModelInvocation), diagnostics]).toEqual([[undefined], []]);
  });
});
