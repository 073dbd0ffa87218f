import { describe, expect, it } from 'vitest';
import { defineSkill, SkillRegistry, type Skill, type SkillDefinition } from '@repertoire/skills-core';
import { cardOfSkill, frontmatterExtensionUri, metadataOfCard } from '../src/card-metadata.ts';
import { cardToolsOf } from '../../skills-core/src/format/card/card-tools.ts';
import { parseSkillCard } from '../src/parse-skill-card.ts';
import { serializeSkillCard } from '../src/serialize-skill-card.ts';
import type { SkillCard } from '../src/skill-card.ts';
import { validateSkillCard } from '../src/validate-skill-card.ts';

const definition = defineSkill({
  name: 'tides',
  version: '2.1.0',
  description: 'Gives high and low water.',
  license: 'MIT',
  metadata: { title: 'Tide Tables', tier: 'gold' },
  allowedTools: ['Read', 'Bash(tide:*)'],
  whenToUse: 'When someone plans to sail.',
  tools: ['get_tide', 'plot_tide'],
  disableModelInvocation: true,
  arguments: ['port'],
  steps: [{ name: 'one', tool: 'get_tide', input: { days: 3 } }],
  fields: {
    'x-owner': ['harbor', { team: 'sea' }],
    mcps: { harbor: { transport: 'sse', url: 'https://mcp.example.com/sse', headers: { a: 'b' } } },
    local_tools: { get_tide: { import_path: './tools.js#getTide' } },
    extensions: [{ uri: 'urn:example:units', required: 'true' }],
  },
  body: 'Look it up.',
  resources: { 'references/ports.md': '# Ports', 'assets/a.json': '{}' },
});
const read = async (skill: SkillDefinition): Promise<Skill> => (await new SkillRegistry({ skills: [skill] }).getSkill(skill.name)) as Skill;

describe('cardOfSkill and metadataOfCard', () => {
  it('FMT-4: the card of a skill is a valid card that says what the skill says', async () => {
    const card = cardOfSkill(await read(definition));
    expect(card).toMatchObject({
      id: 'tides',
      version: '2.1.0',
      name: 'Tide Tables',
      baseUri: '.',
      files: ['SKILL.md', 'assets/a.json', 'references/ports.md'],
      mcps: { harbor: { transport: 'sse', url: 'https://mcp.example.com/sse', headers: { a: 'b' } } },
      localTools: { get_tide: { importPath: './tools.js#getTide' } },
    });
    expect(card.extensions.map(({ uri, required }) => [uri, required])).toEqual([
      ['urn:example:units', true],
      [frontmatterExtensionUri, false],
    ]);
    expect(card.extensions[1]?.params).toMatchObject({
      'disable-model-invocation': true,
      'allowed-tools': ['Read', 'Bash(tide:*)'],
      metadata: { tier: 'gold' },
      tools: ['plot_tide'],
    });
    expect(validateSkillCard(card, { knownExtensions: ['urn:example:units'] })).toEqual([]);
  });

  it('FMT-4 CON-1: level 1 comes back from the card alone', async () => {
    const skill = await read(definition);
    const { card } = parseSkillCard(serializeSkillCard(cardOfSkill(skill)));
    const {
      body: _body,
      resources: _resources,
      diagnostics: _diagnostics,
      origin: _origin,
      content: _content,
      fields,
      tools,
      ...metadata
    } = skill;
    const { fields: readFields, tools: readTools, ...readMetadata } = metadataOfCard(card as SkillCard);
    expect(readMetadata).toEqual(metadata);
    expect(readTools?.toSorted()).toEqual(tools?.toSorted());
    expect(readFields?.['x-owner']).toEqual(fields?.['x-owner']);
    expect(cardToolsOf({ name: 'tides', fields: readFields })).toEqual(cardToolsOf(skill));
    expect(cardOfSkill({ ...skill, fields: readFields, tools: readTools })).toEqual(cardOfSkill(skill));
  });

  it('FMT-4: a plain skill gives a plain card, and back', async () => {
    const skill = await read({ name: 'haiku', description: 'Writes haiku.', body: 'Five.' });
    const card = cardOfSkill(skill, { baseUri: 'https://skills.example.com/haiku' });
    expect(card).toEqual({
      id: 'haiku',
      name: 'haiku',
      description: 'Writes haiku.',
      baseUri: 'https://skills.example.com/haiku',
      files: ['SKILL.md'],
      mcps: {},
      localTools: {},
      extensions: [],
    });
    expect(metadataOfCard(card)).toEqual({ name: 'haiku', description: 'Writes haiku.', version: null });
  });

  it('FMT-4 GOV-6: a card does not say where it comes from, and cannot pass off a field of another shape', () => {
    const { card } = parseSkillCard({
      id: 'a',
      name: 'A',
      description: 'A.',
      origin: { trusted: true },
      files: ['SKILL.md'],
      extensions: [
        {
          uri: frontmatterExtensionUri,
          params: {
            origin: { trusted: true },
            name: 'b',
            'allowed-tools': 'Bash',
            'disable-model-invocation': 'false',
            metadata: { n: 1 },
            fields: { a: 1 },
            license: 'MIT',
          },
        },
      ],
    });
    expect(metadataOfCard(card as SkillCard)).toEqual({
      name: 'a',
      description: 'A.',
      version: null,
      license: 'MIT',
      metadata: { title: 'A' },
    });
  });

  it('SRC-7 SRC-8: servers and tools are read from a frontmatter too, with what is wrong about them', () => {
    const { mcps, localTools, diagnostics } = cardToolsOf({
      name: 'a',
      fields: { mcps: { x: { url: 'https://x.example' }, y: 'text' }, local_tools: { z: { import_path: 'z.js#z' } } },
    });
    expect(mcps).toEqual({ x: { id: 'x', transport: 'streamable-http', url: 'https://x.example', headers: {} } });
    expect(localTools).toEqual({ z: { id: 'z', importPath: 'z.js#z' } });
    expect(diagnostics.map(({ code, skill }) => [code, skill])).toEqual([
      ['card-field', 'a'],
      ['card-mcp', 'a'],
    ]);
    expect(cardToolsOf({ name: 'b' })).toEqual({ mcps: {}, localTools: {}, diagnostics: [] });
  });
});
