import { SkillRegistry, type SkillDefinition } from '@repertoire/skills-core';
import { skillMetadataFromJson } from '@repertoire/skills-core/internal';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { expect, it } from 'vitest';
import { brokenTable, refusedWith } from '../../../../test/support/one-field-broken.ts';

const fields = {
  name: 'tides',
  description: 'Gives high and low water. Use it for ports.',
  version: '1.0.0',
  license: 'MIT',
  compatibility: 'Needs a shell.',
  metadata: { title: 'Tides' },
  'allowed-tools': 'Read Bash(git *)',
  when_to_use: 'Before sailing.',
  tools: ['get_tide'],
  autoActivate: 'always',
  'disable-model-invocation': true,
  'user-invocable': false,
  'argument-hint': '[port]',
  arguments: ['port'],
  model: 'small',
  context: 'fork',
  agent: 'sailor',
  steps: [{ name: 'a', tool: 'get_tide' }],
};

it('FMT-1: a SKILL.md in which one field is wrong is told of by its code, and read the same in each style', async () => {
  const flow = (value: unknown): string => `---\n${JSON.stringify(value)}\n---\nBody\n`;
  const lines = (value: unknown): string =>
    `---\n${Object.entries(value as object)
      .map(([key, held]) => `${key}: ${JSON.stringify(held)}\n`)
      .join('')}---\nBody\n`;
  const read = (text: string, profile: 'strict' | 'lenient') => parseSkillMd(text, { directoryName: 'tides', profile });
  const told: Record<string, string> = {};
  for (const profile of ['strict', 'lenient'] as const) {
    const always = new Set(read(lines(fields), profile).diagnostics.map(({ code, message }) => code + message));
    told[profile] = await brokenTable(fields, (value) => {
      const [plain, byLibrary] = [read(lines(value), profile), read(flow(value), profile)];
      expect(byLibrary.metadata).toEqual(plain.metadata);
      return plain.diagnostics.filter(({ code, message }) => !always.has(code + message));
    });
  }
  await expect(`strict\n${told['strict']}\nlenient\n${told['lenient']}`).toMatchFileSnapshot('broken/skill-md.txt');
});

it('CON-4: level 1 that somebody else wrote as JSON loses the field that is wrong, and no other', async () => {
  const { skill } = await definition();
  const { origin: _, ...whole } = skill;
  expect(skillMetadataFromJson(whole as never)).toEqual(whole);
  await expect(
    await brokenTable(whole, (value) => {
      const ignored: string[] = [];
      const got = skillMetadataFromJson(value as never, (field) => ignored.push(field));
      if (got === null) return [{ code: 'none', message: 'name description' }];
      const given = value as typeof whole;
      const lost = Object.entries(given).filter(
        ([field, held]) => got[field as keyof typeof whole] === undefined || (held !== null && got[field as keyof typeof whole] === null),
      );
      expect(lost.map(([field]) => field)).toEqual(ignored);
      return ignored.map((field) => ({ code: `without ${field}`, message: JSON.stringify(whole) }));
    }),
  ).toMatchFileSnapshot('broken/metadata-json.txt');
});

it('CON-11: a skill in code of which one field is wrong is refused', async () => {
  const { given } = await definition();
  await expect(
    await brokenTable(given, (value) => refusedWith(() => new SkillRegistry({ skills: [value as SkillDefinition] }).listSkills())),
  ).toMatchFileSnapshot('broken/definition.txt');
});

async function definition() {
  const given = {
    name: 'tides',
    description: 'Gives high and low water.',
    body: 'Look.',
    version: '1.0.0',
    license: 'MIT',
    compatibility: 'Any.',
    metadata: { title: 'Tides' },
    allowedTools: ['Read'],
    whenToUse: 'Before sailing.',
    tools: ['get_tide'],
    autoActivate: 'always',
    disableModelInvocation: true,
    userInvocable: false,
    argumentHint: '[port]',
    arguments: ['port'],
    model: 'small',
    context: 'fork',
    agent: 'sailor',
    surfaceMode: 'both',
    refreshPolicy: { afterTokens: 10, via: 'on-load' },
    steps: [{ tool: 'get_tide' }],
    fields: { author: 'Ann' },
    resources: { 'a.md': 'A' },
  } satisfies SkillDefinition;
  const [skill] = (await new SkillRegistry({ skills: [given] }).listSkills()).skills;
  if (skill === undefined) throw new Error('There is no skill.');
  return { given, skill };
}
