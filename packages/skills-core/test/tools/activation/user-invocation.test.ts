import { describe, expect, it } from 'vitest';
import { createSkillset, emptySkillState } from '@repertoire/skills-core';
import { parseSkillCommand, reduceSkillState, userInvocableSkills } from '@repertoire/skills-core/adapter';

const skillset = createSkillset({
  skills: [
    { name: 'fix-issue', description: 'Fixes an issue.', body: 'Fix issue $0.', argumentHint: '[number]' },
    { name: 'deploy', description: 'Deploys.', body: 'Deploy.', disableModelInvocation: true },
    { name: 'background', description: 'Knows the old system.', body: 'Old.', userInvocable: false },
  ],
});

describe('parseSkillCommand', () => {
  it.each([
    ['/fix-issue', { name: 'fix-issue' }],
    ['  /fix-issue 123 "a b" ', { name: 'fix-issue', arguments: '123 "a b"' }],
    ['/fix-issue\nline one\nline two', { name: 'fix-issue', arguments: 'line one\nline two' }],
    ['/技能 x', { name: '技能', arguments: 'x' }],
    ['$fix-issue 123', { name: 'fix-issue', arguments: '123' }],
  ])('DIS-16: reads %j', (text, command) => {
    expect(parseSkillCommand(text)).toEqual(command);
  });

  it.each(['fix-issue 1', 'please /fix-issue', '/etc/hosts', '/', '/ fix', '//fix', '/-x', '', '$5 less', '$', '$a/b', '$a$b'])(
    'DIS-16: %j is no command',
    (text) => {
      expect(parseSkillCommand(text)).toBeNull();
    },
  );
});

describe('skillset.invoke', () => {
  it('DIS-16: loads what a person typed, with its arguments, by the same rules', async () => {
    const session = await skillset.open();
    const result = await session.invoke('/Fix_Issue 123', { state: emptySkillState });
    expect(result?.text).toContain('Fix issue 123.');
    expect(result?.events).toMatchObject([{ type: 'loaded', name: 'fix-issue', arguments: '123' }]);
    expect(await session.invoke('What about /etc/hosts?', { state: emptySkillState })).toBeNull();
    expect((await session.invoke('$fix-issue 123', { state: emptySkillState }))?.text).toContain('Fix issue 123.');
    // After a slash, an unknown name is a mistake; after a dollar, it is most likely something else.
    expect((await session.invoke('/home is empty', { state: emptySkillState }))?.error).toMatchObject({ code: 'skill-not-found' });
    expect(await session.invoke('$HOME is empty', { state: emptySkillState })).toBeNull();
  });

  it('DIS-10: a person starts what a model may not, and not the other way round', async () => {
    const session = await skillset.open();
    expect(session.catalog.skills.map((skill) => skill.name)).toEqual(['background', 'fix-issue']);
    expect(userInvocableSkills(session.catalog).map((skill) => skill.name)).toEqual(['deploy', 'fix-issue']);
    expect((await session.invoke('/deploy', { state: emptySkillState }))?.text).toContain('Deploy.');
    const refused = await session.invoke('/background', { state: emptySkillState });
    expect(refused?.error?.code).toBe('skill-not-found');
    expect(refused?.text).not.toMatch(/Available skills:.*background/);
  });

  it('DIS-10: no tool reaches a skill that is closed to models, by any spelling', async () => {
    for (const surface of ['progressive', 'full'] as const) {
      const everything = createSkillset({
        skills: [
          { name: 'open', description: 'Open.', body: '' },
          { name: 'deploy', description: 'Deploys.', body: 'Deploy.', disableModelInvocation: true, resources: { 'secret.md': 'secret' } },
        ],
        surface: { tools: surface, unload: true },
      });
      const session = await everything.open();
      expect(session.tools.length).toBeGreaterThan(1);
      for (const tool of session.tools) {
        for (const name of ['deploy', '/deploy', 'Deploy', ' deploy ']) {
          const { text } = await tool.execute({ name, skill: name, path: 'secret.md' }, { state: emptySkillState });
          expect(text).not.toMatch(/Deploy\.|secret$|Deploys/m);
          expect(text).not.toMatch(/Available.*deploy|name="deploy"/);
        }
      }
    }
  });

  it('DIS-10: the host may load it', async () => {
    expect((await (await skillset.open()).load({ name: 'deploy' }, { state: emptySkillState })).text).toContain('Deploy.');
    expect((await (await skillset.open()).load({ name: 'nobody' }, { state: emptySkillState })).error?.code).toBe('skill-not-found');
  });

  it('DIS-16 DIS-4: the files of a skill that a person started can be read, though it is closed to models; before, they cannot', async () => {
    const closed = {
      name: 'deploy',
      description: 'Deploys.',
      body: 'See steps.md.',
      disableModelInvocation: true,
      resources: { 'steps.md': 'Step one.' },
    };
    const only = createSkillset({ skills: [closed] });
    const session = await only.open();
    expect(session.catalog.text).toBe('');
    expect(session.tools.map((tool) => tool.name)).toEqual(['read_skill_file']);
    const [read] = session.tools;
    const input = { skill: 'deploy', path: 'steps.md' };
    expect((await read?.execute(input, { state: emptySkillState }))?.error?.code).toBe('skill-not-found');
    const started = await session.invoke('/deploy', { state: emptySkillState });
    const state = (started?.events ?? []).reduce((current, event) => reduceSkillState(current, event), emptySkillState);
    expect((await read?.execute(input, { state }))?.text).toContain('Step one.');
  });
});
