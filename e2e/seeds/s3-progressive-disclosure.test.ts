import { symlink, writeFile } from 'node:fs/promises';
import { HumanMessage } from '@langchain/core/messages';
import { tool as langChainTool } from '@langchain/core/tools';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { fileSystemSkillProvider, standardSkillRoots } from '@repertoire/skill-fs';
import {
  composeProviders,
  createSkillset,
  defineSkill,
  emptySkillState,
  skillAllowedTools,
  SkillRegistry,
  type SkillActivity,
  type SkillProvider,
} from '@repertoire/skills-core';
import { loadedSkillNames, skillInjectionTag, restoreSkills } from '@repertoire/skills-core/adapter';
import { scriptedModel as langChainModel } from '@repertoire/skills-testkit/langchain';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { converse } from './converse.ts';
import { skillFolders } from './skill-folders.ts';

const pdf = defineSkill({
  name: 'pdf-processing',
  description: 'Extract text and tables from PDFs, fill forms, merge documents. Use when working with PDF files.',
  license: 'MIT',
  compatibility: 'Needs poppler',
  metadata: { team: 'docs' },
  allowedTools: ['Read', 'Bash(pdftotext:*)'],
  body: 'Read references/forms.md first.',
  resources: {
    'references/forms.md': 'one\ntwo\nthree\nfour',
    'scripts/extract.py': () => 'print(1)',
    'assets/logo.png': Uint8Array.of(0, 1, 2, 0),
  },
});
const changelog = defineSkill({
  name: 'changelog',
  description: 'Writes release notes. Use before a release.',
  body: 'List what changed.',
});
const skills = [pdf, changelog];

const folders = {
  'pdf-processing/SKILL.md': '---\nname: pdf-processing\ndescription: Handles PDFs\n---\nRead it.',
  'pdf-processing/references/forms.md': 'one\ntwo\nthree\nfour',
  'pdf-processing/blob.bin': Uint8Array.of(0, 159, 0, 1),
};
const stopWhen = isStepCount(10);
const turn = (toolName: string, input: unknown = {}) => ({ toolCalls: [{ toolName, input }] });
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('skills and their sources', () => {
  it('S3-1 S3-3 S3-9 CON-5: a skill in code has the fields of the standard, a body and files, lazy ones too', async () => {
    const provider = new SkillRegistry({ skills });
    const { skills: listed } = await provider.listSkills();
    expect(
      listed.find(({ name }) => name === 'pdf-processing'),
      'S3-1 S3-9',
    ).toMatchObject({
      description: pdf.description,
      license: 'MIT',
      compatibility: 'Needs poppler',
      metadata: { team: 'docs' },
      allowedTools: ['Read', 'Bash(pdftotext:*)'],
    });
    const skill = await provider.getSkill('pdf-processing');
    expect([skill?.body, skill?.resources.map(({ path }) => path).toSorted()]).toEqual([
      'Read references/forms.md first.',
      ['assets/logo.png', 'references/forms.md', 'scripts/extract.py'],
    ]);
    expect((await provider.readResource('pdf-processing', 'scripts/extract.py'))?.bytes, 'S3-3').toEqual(bytesOf('print(1)'));
  });

  it('S3-5 CON-1: what is unknown or forbidden is null', async () => {
    const provider = new SkillRegistry({ skills });
    expect([
      await provider.getSkill('unknown'),
      await provider.readResource('unknown', 'a.md'),
      await provider.readResource('pdf-processing', 'b.md'),
      await provider.readResource('pdf-processing', '../b.md'),
    ]).toEqual([null, null, null, null]);
  });

  it('S3-2 S3-6 CON-1 DIS-1: a provider need not sort, and may say what a file is for', async () => {
    const metadata = (name: string) => ({ name, description: `Does ${name}.`, version: null });
    const provider: SkillProvider = {
      label: 'rows',
      listSkills: async () => ({ skills: ['b', 'c', 'a'].map(metadata), diagnostics: [], complete: true }),
      getSkill: async (name) => ({
        ...metadata(name),
        body: 'Go.',
        diagnostics: [],
        resources: [{ path: 'forms.md', kind: 'other', mediaType: 'text/markdown', description: 'Every form, by number' }],
      }),
      readResource: async () => null,
    };
    const { session, call } = await converse({ provider });
    expect(
      session.catalog.skills.map(({ name }) => name),
      'S3-2',
    ).toEqual(['a', 'b', 'c']);
    expect((await call('load_skill', { name: 'a' })).text, 'S3-6').toContain('forms.md: Every form, by number');
  });

  it.each([
    ['Upper', 'Does it.'],
    ['-edge', 'Does it.'],
    ['two--hyphens', 'Does it.'],
    ['a'.repeat(65), 'Does it.'],
    ['fine', ''],
    ['fine', 'x'.repeat(1025)],
  ])('S3-7 CON-5: defineSkill refuses %s', (name, description) => {
    expect(() => defineSkill({ name, description, body: 'x' })).toThrow(expect.objectContaining({ code: 'invalid-skill' }));
  });

  it('S3-8 FMT-1: reserved words in a name are told, and not refused', async () => {
    const { diagnostics } = await new SkillRegistry({ skills: [{ name: 'claude-helper', description: 'Helps.', body: 'x' }] }).listSkills();
    expect(diagnostics).toMatchObject([{ code: 'name-reserved-word', skill: 'claude-helper' }]);
  });

  it('S3-10 S3-22 DIS-1: an agent takes a provider or a list; without skills there is no text and no tool', async () => {
    for (const options of [{ provider: new SkillRegistry({ skills }) }, { skills }]) {
      expect((await converse(options)).toolNames, 'S3-10').toContain('load_skill');
    }
    const { session, toolNames } = await converse({ skills: [] });
    expect([session.instructions(), toolNames], 'S3-22').toEqual(['', []]);
  });

  it('S3-11 S3-16 SRC-1 SRC-2: folders are scanned, and no read leaves a skill', async () => {
    const root = await skillFolders({ ...folders, 'secret.txt': 'secret' });
    await symlink(`${root}/secret.txt`, `${root}/pdf-processing/link.txt`);
    const provider = fileSystemSkillProvider({ roots: [root] });
    expect(
      (await provider.listSkills()).skills.map(({ name }) => name),
      'S3-11',
    ).toEqual(['pdf-processing']);
    const { call } = await converse({ provider });
    await call('load_skill', { name: 'pdf-processing' });
    for (const path of ['../secret.txt', 'link.txt', '/etc/passwd']) {
      const { error, text } = await call('read_skill_file', { skill: 'pdf-processing', path });
      expect(error).toBeDefined();
      expect(text, 'S3-16').not.toContain('secret\n');
    }
  });

  it('S3-12 S3-57 SRC-1: within the cooldown nothing is scanned again; then what changed is', async () => {
    const root = await skillFolders(folders);
    let time = 0;
    const provider = fileSystemSkillProvider({ roots: [root], staleAfterMs: 2_000, now: () => time });
    const before = await provider.listSkills();
    await writeFile(`${root}/pdf-processing/SKILL.md`, '---\nname: pdf-processing\ndescription: Handles all PDFs and forms\n---\nRead it.');
    time = 1_999;
    expect(await provider.listSkills(), 'S3-12 S3-57').toBe(before);
    time = 2_000;
    expect((await provider.listSkills()).skills[0]?.description).toBe('Handles all PDFs and forms');
  });

  it('S3-13 FMT-3: a name that is not its folder’s is told and kept; the strict profile leaves it out', async () => {
    const root = await skillFolders({ 'other/SKILL.md': folders['pdf-processing/SKILL.md'] });
    const lenient = await fileSystemSkillProvider({ roots: [root] }).listSkills();
    expect([lenient.skills.length, lenient.diagnostics.map(({ severity }) => severity)]).toEqual([1, ['warning']]);
    expect((await fileSystemSkillProvider({ roots: [root], profile: 'strict' }).listSkills()).skills).toEqual([]);
  });

  it('S3-14 S3-56 FMT-3 CON-7: one bad skill, or one bad source, takes no other down', async () => {
    const root = await skillFolders({ ...folders, 'bad/SKILL.md': '---\nname: bad\n---\nNo description.' });
    const down: SkillProvider = {
      label: 'down',
      listSkills: async () => {
        throw new Error('Connection refused');
      },
      getSkill: async () => null,
      readResource: async () => null,
    };
    const provider = composeProviders([down, fileSystemSkillProvider({ roots: [root] })]);
    const { skills: listed, diagnostics, complete } = await provider.listSkills();
    expect([listed.map(({ name }) => name), complete], 'S3-14').toEqual([['pdf-processing'], false]);
    expect(
      diagnostics.some(({ message }) => message.includes('Connection refused')),
      'S3-56',
    ).toBe(true);
    expect(diagnostics.some(({ skill, severity }) => skill === 'bad' && severity === 'error')).toBe(true);
  });

  it('S3-15 SRC-1 CON-7: of equal names, the first root wins; composeProviders can let the last win', async () => {
    const [first, last] = await Promise.all(
      ['One', 'Two'].map((text) => skillFolders({ 'x/SKILL.md': `---\nname: x\ndescription: ${text}\n---\nGo.` })),
    );
    const listed = async (provider: SkillProvider) => (await provider.listSkills()).skills.map(({ description }) => description);
    expect(await listed(fileSystemSkillProvider({ roots: [first!, last!] }))).toEqual(['One']);
    const sources = [first!, last!].map((root, index) => fileSystemSkillProvider({ roots: [root], label: `source-${index}` }));
    expect(await listed(composeProviders(sources, { onCollision: 'last' }))).toEqual(['Two']);
  });

  it('S3-47 CON-7 GOV-10: each tenant has its own set', async () => {
    const skillset = createSkillset<string>({
      skills,
      audience: { select: ({ name }, tenant) => tenant === 'docs' || name !== 'pdf-processing' },
    });
    const names = async (context: string) => (await skillset.open({ context })).catalog.skills.map(({ name }) => name);
    expect([await names('docs'), await names('other')]).toEqual([['changelog', 'pdf-processing'], ['changelog']]);
  });

  it('S3-48 SRC-1: the usual places are known', async () => {
    const home = await skillFolders({ '.claude/skills/pdf-processing/SKILL.md': folders['pdf-processing/SKILL.md'] });
    const roots = standardSkillRoots({ cwd: home, home });
    expect(roots.map(({ path }) => path)).toContain(`${home}/.claude/skills`);
    const { skills: listed } = await fileSystemSkillProvider({ roots }).listSkills();
    expect(listed.map(({ name }) => name)).toEqual(['pdf-processing']);
  });
});

describe('level 1: the catalog', () => {
  it('S3-19 S3-20 S3-21 S3-23 DIS-1 DIS-17: guidance, then the list in XML, behind the base', async () => {
    const { session } = await converse({ skills, catalog: { guidance: 'proactive' } });
    const text = session.instructions('You are an assistant.');
    expect(text, 'S3-23').toMatch(/^You are an assistant\.\n\n/);
    expect(text, 'S3-19').toContain('A skill is not a tool: never call it by its own name.');
    expect(text, 'S3-20').toContain('If one may apply, even in part, call load_skill with its name first');
    const start = text.indexOf('<available_skills>');
    expect(text.slice(start), 'S3-21').toBe(
      '<available_skills>\n<skill name="changelog">Writes release notes. Use before a release.</skill>\n' +
        `<skill name="pdf-processing">${pdf.description}</skill>\n</available_skills>`,
    );
  });

  it('S3-24 DIS-1: its bytes are the same in every order, and after a load', async () => {
    const text = async (given: typeof skills) => (await converse({ skills: given })).session.instructions('Base.');
    const { session, call } = await converse({ skills });
    await call('load_skill', { name: 'changelog' });
    expect(new Set([await text(skills), await text([changelog, pdf] as never), session.instructions('Base.')]).size).toBe(1);
  });

  it.each(['xml', 'markdown', 'json'] as const)('S3-52 S3-53 DIS-2 DIS-1: as %s, within a budget', async (format) => {
    const many = Array.from({ length: 100 }, (_, index) =>
      defineSkill({ name: `skill-${index}`, description: 'Does a thing. '.repeat(50), body: 'x' }),
    );
    const { session } = await converse({ skills: many, catalog: { format, maxTokens: 1_500 } });
    expect(session.catalog.tokens, 'S3-52').toBeLessThanOrEqual(1_500);
    expect(session.catalog.text, 'S3-53').toContain('skill-1');
  });
});

describe('level 2: load_skill', () => {
  it('S3-25 S3-26 DIS-3: the body, the files, and how to read them; of scripts, that they can be read', async () => {
    const { call } = await converse({ skills });
    const { text } = await call('load_skill', { name: 'pdf-processing' });
    expect(text).toMatch(/^<skill_content name="pdf-processing"/);
    expect(text).toContain('Read references/forms.md first.');
    expect(text, 'S3-25').toContain('<skill_files>\nFiles of this skill. Read one with read_skill_file (skill: "pdf-processing")');
    expect(text).toContain('\nreferences/forms.md\n');
    expect(text, 'S3-26').toContain('Its scripts can be read here, but not run.');
    const told = await converse({ skills, scripts: 'Run its scripts with the tool shell.' });
    expect((await told.call('load_skill', { name: 'pdf-processing' })).text).toContain('Run its scripts with the tool shell.');
  });

  it('S3-27 DIS-3: an unknown name is answered with what there is', async () => {
    const { call } = await converse({ skills });
    const { text, error } = await call('load_skill', { name: 'pdf' });
    expect([error?.code, text.includes('pdf-processing')]).toEqual(['skill-not-found', true]);
  });

  it('S3-28 S3-29 S3-30 S3-31 DIS-5 DIS-13 DIS-15: events, the short answer, and what is loaded by the transcript alone', async () => {
    const events: SkillActivity[] = [];
    const { call, session } = await converse({ skills, onEvent: (event) => events.push(event) });
    const loaded = await call('load_skill', { name: 'changelog' });
    const again = await call('load_skill', { name: 'changelog' });
    await call('load_skill', { name: 'unknown' });
    expect(again.text, 'S3-29').toContain('already active');
    expect(again.text).not.toContain('List what changed.');
    expect(events.map(({ type }) => type)).toEqual(['catalog_built', 'skill_loaded', 'skill_already_active', 'skill_failed']);
    expect(events[1], 'S3-28').toMatchObject({
      skill: 'changelog',
      source: 'code',
      version: null,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(skillInjectionTag(loaded.events), 'S3-31').toEqual({ skillInjection: true, skillIds: ['changelog'] });
    const transcript = [{ tool: 'load_skill', input: { name: 'changelog' }, output: loaded.text }];
    expect(loadedSkillNames(session.state(transcript)), 'S3-30').toEqual(['changelog']);
    expect(loadedSkillNames(session.state([{ ...transcript[0]!, output: 'Error (skill-not-found): no.' }]))).toEqual([]);
  });

  it('S3-46 DIS-13: after a compaction, bodies are restored within a budget', async () => {
    const { call, session } = await converse({ skills });
    const { events } = await call('load_skill', { name: 'changelog' });
    const cut = session.apply(session.apply(emptySkillState, events), [{ type: 'compacted' }]);
    const put = await restoreSkills(session, [], { state: cut, tokenBudget: 1_000 });
    expect(put.map(({ name, text }) => [name, text.includes('List what changed.')])).toEqual([['changelog', true]]);
    expect(await restoreSkills(session, [], { state: cut, tokenBudget: 1 })).toEqual([]);
  });
});

describe('level 3: read_skill_file', () => {
  it('S3-4 S3-32 S3-17 S3-18 DIS-4 DIS-18: lines of a file, no binaries, and a bound', async () => {
    const { call } = await converse({ skills, limits: { maxResourceCharacters: 12 } });
    await call('load_skill', { name: 'pdf-processing' });
    const read = async (input: object) => (await call('read_skill_file', { skill: 'pdf-processing', ...input })).text;
    expect(await read({ path: 'references/forms.md', startLine: 2, endLine: 3 }), 'S3-4 S3-32').toContain('\ntwo\nthree\n');
    expect(await read({ path: 'references/forms.md' }), 'S3-18').toContain('follow: call read_skill_file with startLine');
    expect(await read({ path: 'assets/logo.png' }), 'S3-17').toContain('is not text');
    expect((await call('read_skill_file', { skill: 'pdf-processing', path: 'nope.md' })).error?.code).toBe('resource-not-found');
  });

  it('S3-33 GOV-6 DIS-4: a file of an untrusted source carries a warning; one of the host’s does not', async () => {
    const texts = await Promise.all(
      [true, false].map(async (trusted) => {
        const { call } = await converse({ provider: new SkillRegistry({ skills, trusted }) });
        await call('load_skill', { name: 'pdf-processing' });
        return (await call('read_skill_file', { skill: 'pdf-processing', path: 'references/forms.md' })).text;
      }),
    );
    expect(texts.map((text) => text.includes('does not vouch for'))).toEqual([false, true]);
  });
});

describe('in agents', () => {
  const own = () => tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: () => 'mine' });

  it('S3-34 DIS-8: a tool of the host cannot take the name of a skill tool', async () => {
    const skillset = createSkillset({ skills });
    for (const name of ['load_skill', 'read_skill_file']) {
      await expect(aiSdkSkills(skillset, { tools: { [name]: own() } })).rejects.toThrow(
        expect.objectContaining({ code: 'reserved-tool-name' }),
      );
    }
  });

  it('S3-35 ADP-5: a load leaves the prefix of the request as it was', async () => {
    const skillset = createSkillset({ skills });
    const adapter = await aiSdkSkills(skillset);
    const model = scriptedModel([
      turn('load_skill', { name: 'pdf-processing' }),
      turn('read_skill_file', { skill: 'pdf-processing', path: 'references/forms.md' }),
      { text: 'Done.' },
    ]);
    await generateText({ model, prompt: 'Go.', stopWhen, ...adapter.agentSettings({ instructions: 'Base.' }) });
    const requests = model.calls.map(({ prompt, tools }) => ({
      prompt: prompt.map((message) => JSON.stringify(message)),
      tools: JSON.stringify(tools),
    }));
    expect(requests.length).toBe(3);
    for (const [index, request] of requests.slice(1).entries()) {
      const before = requests[index]!;
      expect(request.prompt.slice(0, before.prompt.length)).toEqual(before.prompt);
      expect(request.tools).toBe(before.tools);
    }
  });

  it('S3-36 S3-60 ADP-1: the same skills in an agent of LangChain, whose tools are marked by their role', async () => {
    const middleware = skillsMiddleware(createSkillset({ skills }));
    expect(
      middleware.tools?.map((one) => (one as { metadata?: unknown }).metadata),
      'S3-60',
    ).toContainEqual({ repertoire: { role: 'load' } });
    const model = langChainModel([turn('load_skill', { name: 'changelog' }), { text: 'Done.' }]);
    const agent = createAgent({ model, tools: [], middleware: [middleware] });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('Release.')] });
    expect(messages.map(({ text }) => text).join('\n'), 'S3-36').toContain('List what changed.');
  });

  it('S3-45 GOV-7: an agent below an agent inherits neither the catalog nor the tools', async () => {
    const model = langChainModel([{ text: 'Done below.' }]);
    const below = createAgent({ model, tools: [] });
    const delegate = langChainTool(
      async (_, config) => (await below.invoke({ messages: [new HumanMessage('Go.')] }, config)).messages.at(-1)?.text ?? '',
      {
        name: 'delegate',
        description: 'Has it done.',
        schema: z.object({}),
      },
    );
    const above = langChainModel([turn('load_skill', { name: 'changelog' }), turn('delegate'), { text: 'Done.' }]);
    const agent = createAgent({ model: above, tools: [delegate], middleware: [skillsMiddleware(createSkillset({ skills }))] });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('Release.')] });
    expect(messages.map(({ text }) => text)).toContain('Done below.');
    const textOf = (call: (typeof model.calls)[number] | undefined) => call?.messages.map(({ text }) => text).join('\n') ?? '';
    expect([above.calls[0]?.toolNames.includes('load_skill'), textOf(above.calls[0]).includes('available_skills')]).toEqual([true, true]);
    expect([model.calls[0]?.toolNames, textOf(model.calls[0])]).toEqual([[], 'Go.']);
  });

  it('S3-54 GOV-2: allowed-tools are enforced where the host says so', async () => {
    const { session } = await converse({ skills, allowedTools: skillAllowedTools({ policy: 'restrict' }) });
    const { events } = await session.load({ name: 'pdf-processing' }, { state: emptySkillState });
    const state = session.apply(emptySkillState, events);
    const verdicts = await Promise.all(['Read', 'Write'].map((name) => session.judgeCall(state, { tool: name, input: {} })));
    expect(verdicts.map(({ decision }) => decision === 'denied')).toEqual([false, true]);
  });
});
