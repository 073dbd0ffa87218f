import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { processRunner } from '@repertoire/skill-runner/process';
import { skillScripts } from '@repertoire/skill-runner/scripts';
import { createSkillset, emptySkillState, type SkillProvider, type SkillsetOptions, skillAllowedTools } from '@repertoire/skills-core';
import { loadedSkillNames, userInvocableSkills } from '@repertoire/skills-core/adapter';
import { parseSkillMd, serializeSkillMd } from '@repertoire/skills-core/skill-md';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { converse } from './converse.ts';
import { skillFolders } from './skill-folders.ts';

const codeReview = [
  '---',
  'name: code-review',
  'description: Review code for quality, bugs, and best practices',
  'argument-hint: "[file-or-directory]"',
  'license: MIT',
  'compatibility: Needs git',
  'metadata:',
  '  team: platform',
  'allowed-tools: Read, Grep',
  'model: strong-model',
  'future-field: 7',
  '---',
  'When reviewing code, check for:',
  '1. Logic errors and edge cases',
  'Focus on $ARGUMENTS if provided.',
].join('\n');

const fixIssue =
  '---\nname: fix-issue\ndescription: Fix a GitHub issue\nargument-hint: "[issue-number]"\n---\nFix GitHub issue $ARGUMENTS following our coding standards.';
const deploy =
  '---\nname: deploy\ndescription: Deploy to production\ndisable-model-invocation: true\n---\nDeploy the application:\n1. Run tests';
const background = '---\nname: background\ndescription: How the old system works\nuser-invocable: false\n---\nIt is old.';
const forked = '---\nname: research\ndescription: Research a topic\ncontext: fork\nagent: explorer\nmodel: strong-model\n---\nLook it up.';

const library = {
  'code-review/SKILL.md': codeReview,
  'code-review/examples/sample.md': '# Sample\n',
  'code-review/scripts/lint.sh': 'echo ok\n',
  'fix-issue/SKILL.md': fixIssue,
  'deploy/SKILL.md': deploy,
  'background/SKILL.md': background,
  'research/SKILL.md': forked,
  'api-conventions/SKILL.md': '---\nname: api-conventions\ndescription: How our API is written\n---\nPlural nouns.',
  'api-conventions/references/openapi.yaml': 'openapi: 3.1.0\n',
};

async function libraryProvider(files: Readonly<Record<string, string>> = library): Promise<SkillProvider> {
  return fileSystemSkillProvider({ roots: [await skillFolders(files)] });
}

const withLibrary = async (options: SkillsetOptions = {}) => converse({ provider: await libraryProvider(), ...options });

describe('a library of skills', () => {
  it('S2-1 S2-2 S2-28 SRC-1 FMT-6: finds each folder, its resource folders, and where it is', async () => {
    const provider = await libraryProvider();
    const { skills } = await provider.listSkills();
    expect(skills.map(({ name }) => name).toSorted(), 'S2-1').toEqual([
      'api-conventions',
      'background',
      'code-review',
      'deploy',
      'fix-issue',
      'research',
    ]);
    const skill = await provider.getSkill('code-review');
    expect(
      skill?.resources.map(({ path, kind }) => [path, kind]),
      'S2-2',
    ).toEqual([
      ['examples/sample.md', 'example'],
      ['scripts/lint.sh', 'script'],
    ]);
    expect(skill?.origin?.uri, 'S2-28').toMatch(/^file:\/\/.*\/code-review\/$/);
  });

  it('S2-3 S2-4 S2-5 FMT-3: a name may be missing; front matter and description may not', async () => {
    const provider = await libraryProvider({
      'plain/SKILL.md': 'Just text.',
      'legacy/SKILL.md': '---\nname: legacy\n---\nOld.',
      'nameless/SKILL.md': '---\ndescription: Has no name\n---\nGo.',
    });
    const { skills, diagnostics } = await provider.listSkills();
    expect(
      skills.map(({ name }) => name),
      'S2-3',
    ).toEqual(['nameless']);
    expect(
      diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ skill }) => skill)
        .toSorted(),
      'S2-4 S2-5',
    ).toEqual(['legacy', 'plain']);
  });

  it('S2-6 S2-10 S2-12 S2-13 FMT-2: fields of the standard, those of others, and unknown ones', async () => {
    const { skills } = await (await libraryProvider()).listSkills();
    const byName = Object.fromEntries(skills.map((skill) => [skill.name, skill]));
    expect(byName['code-review'], 'S2-6 S2-12 S2-13').toMatchObject({
      license: 'MIT',
      compatibility: 'Needs git',
      metadata: { team: 'platform' },
      allowedTools: ['Read', 'Grep'],
      argumentHint: '[file-or-directory]',
      model: 'strong-model',
      fields: { 'future-field': '7' },
    });
    expect(byName['research'], 'S2-10').toMatchObject({ context: 'fork', agent: 'explorer', model: 'strong-model' });
  });

  it.each([
    ['spaces', 'allowed-tools: Read Grep Bash(git:*)'],
    ['commas', 'allowed-tools: Read, Grep, Bash(git:*)'],
    ['a list', 'allowed-tools:\n  - Read\n  - Grep\n  - Bash(git:*)'],
  ])('S2-7 FMT-2: allowed-tools with %s', (_, field) => {
    const { metadata } = parseSkillMd(`---\nname: x\ndescription: Does x.\n${field}\n---\nGo.`);
    expect(metadata?.allowedTools).toEqual(['Read', 'Grep', 'Bash(git:*)']);
  });

  it('S2-8 S2-9 S2-14 S2-15 S2-26 S2-27 DIS-10: who sees which skill', async () => {
    const { session } = await withLibrary();
    const names = (skills: readonly { readonly name: string }[]) => skills.map(({ name }) => name);
    expect(names(session.catalog.skills), 'S2-8 S2-26').toEqual(['api-conventions', 'background', 'code-review', 'fix-issue', 'research']);
    expect(names(userInvocableSkills(session.catalog)), 'S2-9 S2-27').toEqual([
      'api-conventions',
      'code-review',
      'deploy',
      'fix-issue',
      'research',
    ]);
    expect(session.catalog.text).toContain('>How the old system works</skill>');
    expect(session.catalog.text, 'S2-14').not.toContain('deploy');
    const provider = await libraryProvider();
    expect([(await provider.getSkill('deploy'))?.body, await provider.getSkill('unknown')], 'S2-15').toEqual([
      'Deploy the application:\n1. Run tests',
      null,
    ]);
    expect(JSON.parse(JSON.stringify(session.catalog.skills[2]))).toMatchObject({
      name: 'code-review',
      argumentHint: '[file-or-directory]',
    });
  });

  it('S2-11 DIS-1 DIS-9: the model reads with the description how arguments look', async () => {
    const { session } = await withLibrary();
    expect(session.catalog.text).toContain('<skill name="fix-issue" arguments="[issue-number]">Fix a GitHub issue</skill>');
    const { session: without } = await withLibrary({ catalog: { argumentHints: false } });
    expect(without.catalog.text).toContain('<skill name="fix-issue">Fix a GitHub issue</skill>');
  });

  it('S2-16 S2-17 SRC-1: discovery reads front matter only; a body is read at each load', async () => {
    const root = await skillFolders({ 'fix-issue/SKILL.md': fixIssue });
    const provider = fileSystemSkillProvider({ roots: [root] });
    const { skills } = await provider.listSkills();
    expect(Object.keys(skills[0] ?? {}), 'S2-16').not.toContain('body');
    const before = (await provider.getSkill('fix-issue'))?.body;
    await writeFile(`${root}/fix-issue/SKILL.md`, fixIssue.replace('our coding standards', 'the guide'));
    expect([before, (await provider.getSkill('fix-issue'))?.body], 'S2-17').toEqual([
      'Fix GitHub issue $ARGUMENTS following our coding standards.',
      'Fix GitHub issue $ARGUMENTS following the guide.',
    ]);
  });

  it('S2-29 CON-1: what is returned cannot be changed', async () => {
    const skill = await (await libraryProvider()).getSkill('code-review');
    expect(Object.isFrozen(skill) && Object.isFrozen(skill?.resources)).toBe(true);
  });

  it('S2-44 S2-45 FMT-3: a skill is written back, with what other tools know', () => {
    const { metadata, body } = parseSkillMd(codeReview);
    const again = parseSkillMd(serializeSkillMd({ ...metadata!, body }));
    expect({ ...again.metadata, body: again.body }, 'S2-44 S2-45').toEqual({ ...metadata, body });
  });
});

describe('loading', () => {
  it('S2-19 S2-22 S2-24 S2-25 DIS-9: load_skill(skill_name, arguments) puts the arguments in', async () => {
    const { call } = await withLibrary();
    const { text } = await call('load_skill', { skill_name: 'fix-issue', arguments: '123' });
    expect(text, 'S2-19 S2-22').toMatch(/^<skill_content name="fix-issue"/);
    expect(text, 'S2-24 S2-25').toContain('Fix GitHub issue 123 following our coding standards.');
  });

  it.each([
    ['$ARGUMENTS', 'a b', 'Do a b.'],
    ['$ARGUMENTS[1]', 'a b', 'Do b.'],
    ['$0 and $1', 'a b', 'Do a and b.'],
  ])('S2-22 DIS-9: %s', async (placeholder, given, expected) => {
    const { call } = await converse({ skills: [{ name: 'x', description: 'Does x.', body: `Do ${placeholder}.` }] });
    expect((await call('load_skill', { skill_name: 'x', arguments: given })).text).toContain(expected);
  });

  it('S2-23 DIS-9: without a placeholder, arguments are appended', async () => {
    const { call } = await withLibrary();
    expect((await call('load_skill', { skill_name: 'api-conventions', arguments: 'users' })).text).toContain(
      'Plural nouns.\n\nARGUMENTS: users',
    );
  });

  it('S2-20 DIS-7: load_skill(list_skills: true) lists the skills', async () => {
    const { call } = await withLibrary();
    const { text, events, error } = await call('load_skill', { list_skills: true });
    expect(text).toContain('<skill name="code-review"');
    expect(text).not.toContain('deploy');
    expect([events, error]).toEqual([[], undefined]);
  });

  it('S2-46 DIS-3: an unknown skill is answered with the known ones', async () => {
    const { call } = await withLibrary();
    const { text, error } = await call('load_skill', { skill_name: 'code-reviews' });
    expect(error?.code).toBe('skill-not-found');
    expect(text).toContain('code-review');
    expect(text).not.toContain('deploy');
  });

  it('S2-42 S2-43 DIS-16: a person starts a skill by its name, also one that is closed to the model', async () => {
    const { session, call } = await withLibrary();
    expect((await call('load_skill', { skill_name: 'deploy' })).error?.code, 'S2-43').toBe('skill-not-found');
    expect((await session.invoke('/deploy', { state: emptySkillState }))?.text, 'S2-42').toContain('1. Run tests');
    expect((await session.invoke('/fix-issue 7', { state: emptySkillState }))?.text).toContain('Fix GitHub issue 7 following');
    expect((await session.invoke('/background', { state: emptySkillState }))?.error?.code).toBe('skill-not-found');
  });
});

describe('in an agent', () => {
  const stopWhen = isStepCount(10);
  const grep = tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: () => 'found' });
  const write = tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: () => 'written' });
  const turn = (toolName: string, input: unknown = {}) => ({ toolCalls: [{ toolName, input }] });

  it('S2-18 S2-21 S2-30 S2-31 S2-33 S2-34 S2-35 GOV-2 GOV-3: skills are announced once; a loaded one restricts the tools and chooses the model', async () => {
    const skillset = createSkillset({ provider: await libraryProvider(), allowedTools: skillAllowedTools({ policy: 'restrict' }) });
    const first = scriptedModel([turn('load_skill', { skill_name: 'code-review' })]);
    const strong = scriptedModel([turn('Grep'), turn('Write'), turn('load_skill', { skill_name: 'api-conventions' }), { text: 'Done.' }]);
    const skills = await aiSdkSkills(skillset, {
      tools: { Grep: grep, Write: write },
      state: { current: emptySkillState },
      models: { 'strong-model': strong },
    });
    const { responseMessages } = await generateText({
      model: first,
      prompt: 'Review.',
      stopWhen,
      ...skills.agentSettings({ instructions: 'Be kind.' }),
    });
    expect([first.calls.length, strong.calls.length], 'S2-35').toEqual([1, 4]);
    const systems = [...first.calls, ...strong.calls].map(({ prompt }) =>
      prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join(''),
    );
    expect(new Set(systems), 'S2-18 S2-21').toEqual(new Set([skills.instructions('Be kind.')]));
    const outputs = responseMessages.flatMap((message) =>
      message.role === 'tool' ? message.content.flatMap((part) => (part.type === 'tool-result' ? [JSON.stringify(part.output)] : [])) : [],
    );
    expect(outputs[1], 'S2-30').toContain('found');
    expect(outputs[2], 'S2-33').toContain('permission-denied');
    expect(outputs[3], 'S2-31 S2-34').toContain('Plural nouns.');
  });

  it('S2-32 GOV-2: with activation "single", loading another skill ends the restriction and the model of the one before', async () => {
    const after = async (activation: 'single' | 'cumulative') => {
      const { call, session } = await withLibrary({
        conversation: { activation },
        allowedTools: skillAllowedTools({ policy: 'restrict' }),
      });
      await call('load_skill', { skill_name: 'code-review' });
      const { events } = await session.load({ name: 'code-review' }, { state: emptySkillState });
      const one = session.apply(emptySkillState, events);
      const two = session.apply(one, (await session.load({ name: 'api-conventions' }, { state: one })).events);
      return [loadedSkillNames(two), await session.model(two), (await session.judgeCall(two, { tool: 'Write', input: {} })).decision];
    };
    expect(await after('single')).toEqual([['api-conventions'], undefined, 'allowed']);
    expect(await after('cumulative')).toEqual([['code-review', 'api-conventions'], 'strong-model', 'denied']);
  });
});

describe('shell preprocessing', () => {
  const projectInfo = {
    'project-info/SKILL.md':
      '---\nname: project-info\ndescription: Show project context\n---\nProject version: !`cat VERSION`\nBroken: !`cat NOTHING`\nReview the code in $ARGUMENTS.',
    'project-info/VERSION': '1.2.3\n',
  };

  it('S2-36 S2-39 S2-40 SRC-3: commands are replaced by their output, failures by [error: …], then arguments are put in', async () => {
    const runner = processRunner({ requireConfinement: false });
    const { call } = await converse({ provider: await libraryProvider(projectInfo), scripts: skillScripts(runner, { snippets: true }) });
    const { text } = await call('load_skill', { skill_name: 'project-info', arguments: '!`echo no`' });
    expect(text, 'S2-36').toContain('Project version: 1.2.3\n');
    expect(text, 'S2-39').toMatch(/Broken: \[error: [^\]]+\]/);
    expect(text, 'S2-40').toContain('Review the code in !`echo no`.');
  });

  it('S2-38 SRC-3: a command that takes too long becomes [error: …]', async () => {
    const slow = { 'slow/SKILL.md': '---\nname: slow\ndescription: Waits\n---\nWaited: !`sleep 60`.' };
    const runner = processRunner({ requireConfinement: false });
    const { call } = await converse({
      provider: await libraryProvider(slow),
      scripts: skillScripts(runner, { snippets: true, timeoutMs: 200 }),
    });
    expect((await call('load_skill', { skill_name: 'slow' })).text).toContain('Waited: [error: "sleep 60" did not end within 200 ms].');
  });

  it('S2-36 S2-37 SRC-3: the example as it is written, in the folder of a project', async (context) => {
    context.skip(spawnSync('git', ['--version']).status !== 0, 'git is not here');
    const project = await mkdtemp(join(tmpdir(), 'seed-project-'));
    try {
      // A host that is root runs commands as another user.
      await chmod(project, 0o755);
      await writeFile(join(project, 'VERSION'), '4.5.6\n');
      const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
      for (const given of [
        ['init', '-q', '-b', 'main'],
        ['add', '-A'],
        [...author, 'commit', '-qm', 'first'],
      ])
        spawnSync('git', given, { cwd: project });
      const files = {
        'project-info/SKILL.md':
          '---\nname: project-info\ndescription: Show project context\n---\nProject version: !`cat VERSION`\nCurrent branch: !`git branch --show-current`\nRecent changes: !`git log --oneline -5`\n\nReview the code in $ARGUMENTS.',
      };
      const scripts = skillScripts(processRunner({ requireConfinement: false }), { snippets: true, project });
      const { call } = await converse({ provider: await libraryProvider(files), scripts });
      expect((await call('load_skill', { skill_name: 'project-info', arguments: 'src' })).text, 'S2-36 S2-37').toMatch(
        /Project version: 4\.5\.6\nCurrent branch: main\nRecent changes: [0-9a-f]{7} first\n\nReview the code in src\./,
      );
    } finally {
      await rm(project, { recursive: true, force: true });
    }
  });

  it('S2-41 SRC-3: without it, the text stays as it is', async () => {
    const { call } = await converse({ provider: await libraryProvider(projectInfo) });
    expect((await call('load_skill', { skill_name: 'project-info' })).text).toContain('Project version: !`cat VERSION`');
  });
});
