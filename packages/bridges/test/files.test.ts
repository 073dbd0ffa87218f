import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSkillset, SkillError, SkillRegistry, type SkillDefinition, type SkillDiagnostic } from '@repertoire/skills-core';
import { wrapProvider } from '@repertoire/skills-core/provider';
import { writeSkillFiles } from '@repertoire/bridges/files';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const skill = (name: string, body = 'Do it.', resources: SkillDefinition['resources'] = {}): SkillDefinition => ({
  name,
  description: `Does ${name}.`,
  body,
  resources,
});

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'repertoire-files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
const names = async (path = '.'): Promise<string[]> => (await readdir(join(folder, path))).filter((name) => !name.startsWith('.')).sort();

describe('writeSkillFiles', () => {
  it('BRG-7: writes, updates, repairs and removes, and leaves what is unchanged alone', async () => {
    const bytes = Uint8Array.of(0, 255, 10, 13);
    const first = [skill('one', 'First.', { 'assets/a.bin': bytes, 'references/r.md': 'Read me.\n' }), skill('two'), skill('three')];
    expect(await writeSkillFiles(new SkillRegistry({ skills: first }), { folder })).toMatchObject({
      written: ['one', 'three', 'two'],
      removed: [],
    });
    expect(new Uint8Array(await readFile(join(folder, 'one/assets/a.bin')))).toEqual(bytes);
    expect(await read('one/references/r.md')).toBe('Read me.\n');
    const before = (await stat(join(folder, 'two'))).ino;

    await writeFile(join(folder, 'three/SKILL.md'), 'Someone was here.');
    const second = [skill('one', 'Second.', { 'references/r.md': 'Read me.\n' }), skill('two'), skill('three')];
    expect(await writeSkillFiles(new SkillRegistry({ skills: second }), { folder })).toMatchObject({
      written: ['one', 'three'],
      unchanged: ['two'],
      removed: [],
    });
    expect(await read('one/SKILL.md')).toContain('Second.');
    expect(await names('one')).toEqual(['SKILL.md', 'references']);
    expect(await read('three/SKILL.md')).toContain('Do it.');
    expect((await stat(join(folder, 'two'))).ino).toBe(before);

    expect(await writeSkillFiles(new SkillRegistry({ skills: [skill('two')] }), { folder })).toMatchObject({ removed: ['one', 'three'] });
    expect(await names()).toEqual(['two']);
    expect((await readdir(folder)).filter((name) => name.startsWith('.repertoire-'))).toEqual(['.repertoire-skills.json']);
  });

  it('BRG-7: never touches a folder that it did not write', async () => {
    await mkdir(join(folder, 'mine'));
    await writeFile(join(folder, 'mine/notes.txt'), 'Mine.');
    const told: SkillDiagnostic[] = [];
    const provider = new SkillRegistry({ skills: [skill('mine'), skill('two')] });
    const done = await writeSkillFiles(provider, { folder, onDiagnostic: (diagnostic) => told.push(diagnostic) });
    expect(done).toMatchObject({ written: ['two'], refused: ['mine'] });
    expect(told.map(({ code }) => code)).toContain('bridge-folder-refused');
    await writeSkillFiles(new SkillRegistry({ skills: [skill('two')] }), { folder });
    expect(await read('mine/notes.txt')).toBe('Mine.');
  });

  it('BRG-7: follows no link: not of the skills folder, not of a skill, not of a file, not of the record', async () => {
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'SKILL.md'), 'Outside.');
    const target = join(folder, 'target');
    await writeSkillFiles(new SkillRegistry({ skills: [skill('one'), skill('two')] }), { folder: target, layout: 'claude' });
    await rm(join(target, '.claude/skills/one'), { recursive: true });
    await symlink(outside, join(target, '.claude/skills/one'));
    await rm(join(target, '.claude/skills/two/SKILL.md'));
    await symlink(join(outside, 'SKILL.md'), join(target, '.claude/skills/two/SKILL.md'));

    expect(await writeSkillFiles(new SkillRegistry({ skills: [skill('two')] }), { folder: target, layout: 'claude' })).toMatchObject({
      written: ['two'],
      removed: ['one'],
    });
    expect(await read('outside/SKILL.md')).toBe('Outside.');
    expect((await stat(join(target, '.claude/skills/two/SKILL.md'))).isFile()).toBe(true);
    await expect(readlink(join(target, '.claude/skills/two/SKILL.md'))).rejects.toThrow('EINVAL');

    await symlink(outside, join(folder, '.agents'));
    const write = writeSkillFiles(new SkillRegistry({ skills: [skill('one')] }), { folder, layout: 'agents' });
    await expect(write).rejects.toMatchObject({ code: 'invalid-path' });
    expect(await readdir(outside)).toEqual(['SKILL.md']);

    await rm(join(target, '.claude/skills/.repertoire-skills.json'));
    await symlink(join(outside, 'SKILL.md'), join(target, '.claude/skills/.repertoire-skills.json'));
    const again = writeSkillFiles(new SkillRegistry({ skills: [skill('one')] }), { folder: target, layout: 'claude' });
    await expect(again).rejects.toMatchObject({ code: 'invalid-options' });
  });

  it('BRG-7: a record that somebody wrote removes nothing outside of the folder', async () => {
    await mkdir(join(folder, 'skills'));
    await mkdir(join(folder, 'precious'));
    const digest = '0'.repeat(64);
    const record = { skills: { '../precious': digest, '..': digest, gone: digest } };
    await writeFile(join(folder, 'skills/.repertoire-skills.json'), JSON.stringify(record));
    await writeSkillFiles(new SkillRegistry({ skills: [skill('one')] }), { folder: join(folder, 'skills') });
    expect(await names()).toEqual(['precious', 'skills']);
    await writeFile(join(folder, 'skills/.repertoire-skills.json'), '{"skills":{"one":1}}');
    const write = writeSkillFiles(new SkillRegistry({ skills: [skill('one')] }), { folder: join(folder, 'skills') });
    await expect(write).rejects.toMatchObject({ code: 'invalid-options' });
  });

  it('BRG-7: removes nothing while the source is down or knows that it did not list everything', async () => {
    const provider = new SkillRegistry({ skills: [skill('one'), skill('two')] });
    await writeSkillFiles(provider, { folder });
    const down = wrapProvider(provider, {
      listSkills: () => Promise.reject(new SkillError('source-unavailable', 'Down.')),
      getSkill: (name, options) => provider.getSkill(name, options),
      readResource: (name, path, options) => provider.readResource(name, path, options),
    });
    await expect(writeSkillFiles(down, { folder })).rejects.toMatchObject({ code: 'source-unavailable' });
    const told: string[] = [];
    const half = wrapProvider(provider, {
      listSkills: async () => ({ skills: [], diagnostics: [], complete: false }),
      getSkill: (name, options) => provider.getSkill(name, options),
      readResource: (name, path, options) => provider.readResource(name, path, options),
    });
    expect(await writeSkillFiles(half, { folder, onDiagnostic: ({ code }) => told.push(code) })).toMatchObject({ removed: [] });
    expect(told).toContain('bridge-nothing-removed');
    expect(await names()).toEqual(['one', 'two']);
  });

  it('BRG-7: knows the layouts of agents that read folders', async () => {
    const provider = new SkillRegistry({ skills: [skill('one')] });
    const layouts = {
      folder: 'one',
      plugin: 'skills/one',
      claude: '.claude/skills/one',
      agents: '.agents/skills/one',
      eve: 'agent/skills/one',
    } as const;
    for (const [layout, path] of Object.entries(layouts) as [keyof typeof layouts, string][]) {
      const written = await writeSkillFiles(provider, { folder: join(folder, layout), layout });
      expect(join(written.folder, 'one')).toMatch(new RegExp(`${layout}/${path.replaceAll('.', '\\.')}$`));
      expect(await read(`${layout}/${path}/SKILL.md`)).toContain('name: one');
    }
    expect(JSON.parse(await read('plugin/.claude-plugin/plugin.json'))).toEqual({ name: 'plugin', description: 'Skills of plugin.' });
  });

  it('BRG-1: writes what the context may see, and marks what is untrusted', async () => {
    const provider = new SkillRegistry({
      skills: [skill('open', 'Open.', { 'scripts/run.sh': 'rm -rf /' }), skill('closed')],
      trusted: false,
    });
    const skillset = createSkillset<string>({
      provider,
      audience: { permissions: ({ skill: { name }, context }) => name === 'open' || context === 'chief' },
    });
    expect(await writeSkillFiles(skillset, { folder, context: 'clerk' })).toMatchObject({ written: ['open'] });
    expect(await names('open')).toEqual(['SKILL.md']);
    expect(await read('open/SKILL.md')).toContain('trust="untrusted"');
    expect(await writeSkillFiles(skillset, { folder, context: 'chief' })).toMatchObject({ written: ['closed'], unchanged: ['open'] });
    expect(await writeSkillFiles(skillset, { folder, context: 'clerk' })).toMatchObject({ removed: ['closed'] });
  });

  it('refuses options that do not exist, and an abort ends it', async () => {
    const provider = new SkillRegistry({ skills: [skill('one')] });
    for (const wrong of [{ folder, layuot: 'claude' }, { folder, layout: 'cursor' }, { folder: '' }]) {
      await expect(writeSkillFiles(provider, wrong as { folder: string })).rejects.toMatchObject({ code: 'invalid-options' });
    }
    const reason = new Error('Enough.');
    await expect(writeSkillFiles(provider, { folder, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(await names()).toEqual([]);
  });
});
