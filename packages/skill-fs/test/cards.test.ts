import { describe, expect, it } from 'vitest';
import { fileSystemSkillProvider, type FileSystemSkillProviderOptions } from '@repertoire/skill-fs';
import { withSkillCards } from '@repertoire/skill-cards';
import { temporaryFolder } from './temporary-folder.ts';

const card = (more: object = {}) =>
  JSON.stringify({
    id: 'weather',
    version: '1.0.0',
    name: 'Weather Lookup',
    description: 'Current weather.',
    base_uri: '.',
    files: ['SKILL.md'],
    ...more,
  });
const skillMd = '---\nname: Weather Lookup\ndescription: Weather.\nlicense: MIT\ndisable-model-invocation: true\n---\nAsk for the city.\n';

async function listed(files: Readonly<Record<string, string>>, options: Partial<FileSystemSkillProviderOptions> = {}) {
  const folder = await temporaryFolder(files);
  const provider = fileSystemSkillProvider({ roots: [folder.path], ...options });
  const listing = await provider.listSkills();
  const [first] = listing.skills;
  const skill = first === undefined ? null : await provider.getSkill(first.name, { version: first.version });
  const read = async (path: string) => {
    const file = first === undefined ? null : await provider.readResource(first.name, path);
    return file === null ? null : new TextDecoder().decode(file.bytes);
  };
  const contents = Object.fromEntries(
    await Promise.all(['SKILL.md', 'guide.md', 'skill-card.json'].map(async (path) => [path, await read(path)] as const)),
  );
  return {
    listing,
    skill,
    files: contents,
    names: listing.skills.map(({ name }) => name),
    codes: listing.diagnostics.map(({ code }) => code),
    path: folder.path,
  };
}

describe('a skill-card.json without a SKILL.md beside it', () => {
  it('FMT-4: is the manifest of the folder that base_uri leads to; what only the SKILL.md there says stays', async () => {
    const { listing, skill, files } = await listed({
      'weather/skill-card.json': card({ base_uri: './files', local_tools: { get_weather: { id: 'get_weather', import_path: 'a.b' } } }),
      'weather/files/SKILL.md': skillMd,
      'weather/files/guide.md': 'Guide.',
    });
    expect(listing.skills).toMatchObject([
      {
        name: 'weather',
        version: '1.0.0',
        description: 'Current weather.',
        license: 'MIT',
        disableModelInvocation: true,
        metadata: { title: 'Weather Lookup' },
        tools: ['get_weather'],
      },
    ]);
    expect(listing.skills[0]?.origin?.uri).toMatch(/\/weather\/files\/$/);
    expect(skill).toMatchObject({ body: 'Ask for the city.', resources: [{ path: 'guide.md' }] });
    expect(files).toEqual({ 'SKILL.md': skillMd, 'guide.md': 'Guide.', 'skill-card.json': null });
    expect(listing.complete).toBe(true);
  });

  it('FMT-4: alone, it is a skill without instructions, and a diagnostic says so', async () => {
    const { names, skill, files, codes } = await listed({ 'weather/skill-card.json': card(), 'weather/guide.md': 'Guide.' });
    expect(names).toEqual(['weather']);
    expect(skill).toMatchObject({ body: '', resources: [{ path: 'guide.md' }, { path: 'skill-card.json' }] });
    expect(files).toMatchObject({ 'SKILL.md': null, 'guide.md': 'Guide.' });
    expect(codes).toEqual(['card-without-skill-md']);
  });

  it('SRC-1, FMT-4: leads nowhere out of its root, and to no folder of another skill; an extension that must be known makes it no skill', async () => {
    for (const base_uri of ['../../outside', '/etc', 'https://example.com/weather', './missing', 'file:///etc/']) {
      const { names, codes } = await listed({ 'weather/skill-card.json': card({ base_uri }) });
      expect([base_uri, names, codes]).toEqual([base_uri, [], ['card-unusable']]);
    }
    const two = await listed({
      'a/skill-card.json': card({ base_uri: '../c' }),
      'b/skill-card.json': card({ id: 'other', base_uri: '../c' }),
      'c/SKILL.md': skillMd,
    });
    expect([two.names, two.codes.includes('skill-duplicate')]).toEqual([['weather'], true]);
    const strange = await listed({
      'weather/skill-card.json': card({ extensions: [{ uri: 'urn:example:sandbox', required: true }] }),
      'weather/SKILL.txt': skillMd,
    });
    expect([strange.names, strange.codes]).toEqual([[], ['card-unusable']]);
    const broken = await listed({ 'weather/skill-card.json': '{', 'ok/SKILL.md': '---\nname: ok\ndescription: Fine.\n---\nBody.' });
    expect([broken.names, broken.codes]).toEqual([['ok'], ['card-unusable']]);
  });

  it('SRC-1: beside or below a SKILL.md it is a file of that skill, which withSkillCards reads', async () => {
    const files = {
      'weather/SKILL.md': skillMd.replace('Weather Lookup', 'weather'),
      'weather/skill-card.json': card(),
      'weather/assets/skill-card.json': card({ id: 'template' }),
    };
    const { names, skill } = await listed(files);
    expect(names).toEqual(['weather']);
    expect(skill?.resources.map(({ path }) => path)).toEqual(['assets/skill-card.json', 'skill-card.json']);
    const folder = await temporaryFolder(files);
    const { skills } = await withSkillCards(fileSystemSkillProvider({ roots: [folder.path] })).listSkills();
    expect(skills).toMatchObject([{ name: 'weather', version: '1.0.0' }]);
  });

  it('SRC-1: an edit of the card, and of the SKILL.md that it leads to, is seen', async () => {
    const folder = await temporaryFolder({ 'weather/skill-card.json': card({ base_uri: 'files' }), 'weather/files/SKILL.md': skillMd });
    const provider = fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 0 });
    const first = await provider.listSkills();
    expect(await provider.listSkills()).toBe(first);
    await folder.write({ 'weather/files/SKILL.md': skillMd.replace('MIT', 'ISC') });
    expect((await provider.listSkills()).skills[0]?.license).toBe('ISC');
    await folder.write({ 'weather/skill-card.json': card({ base_uri: 'files', version: '2.0.0' }) });
    expect((await provider.listSkills()).skills[0]?.version).toBe('2.0.0');
    expect(await provider.getSkill('weather', { version: '1.0.0' })).toBeNull();
  });
});

describe('folders that are not looked into', () => {
  const skill = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\nBody.`;
  const files = {
    '.github/skills/hidden/SKILL.md': skill('hidden'),
    '.git/skills/never/SKILL.md': skill('never'),
    '.cache/none.txt': 'x',
    'a/b/c/deep/SKILL.md': skill('deep'),
    'a/b/c/more.txt': 'x',
    'ok/SKILL.md': skill('ok'),
  };

  it('SRC-1, FMT-3: are reported where they hold skills, with the option that includes them', async () => {
    const { names, listing } = await listed(files, { limits: { depth: 2 } });
    expect(names).toEqual(['ok']);
    expect(listing.diagnostics.map(({ code, fix }) => [code, fix])).toEqual([
      ['skills-in-hidden-folder', 'Name it as a root of its own, or set hiddenFolders: true.'],
      ['skills-too-deep', 'Raise limits.depth, or name a root that is nearer.'],
    ]);
    expect(listing.complete).toBe(false);
  });

  it('SRC-1: are looked into with those options, and nothing is reported', async () => {
    const { names, listing } = await listed(files, { hiddenFolders: true });
    expect([names, listing.diagnostics, listing.complete]).toEqual([['deep', 'hidden', 'ok'], [], true]);
  });

  it('SRC-1: that hold none are not told of', async () => {
    const { listing } = await listed({ 'a/b/c/more.txt': 'x', '.cache/a.txt': 'x', 'ok/SKILL.md': skill('ok') }, { limits: { depth: 1 } });
    expect([listing.diagnostics, listing.complete]).toEqual([[], true]);
  });
});
