import { describe, expect, it } from 'vitest';
import { SkillRegistry } from '@repertoire/skills-core';
import { skillMetadataFromJson } from '@repertoire/skills-core/internal';
import { skillsOfEveryField } from '../../helpers/skills-of-every-field.ts';

const basic = { name: 'haiku', description: 'Writes haiku.' };

describe('SRC-4: level 1 out of JSON', () => {
  it('is what went in, every field of the contract, without the origin', async () => {
    const given = skillsOfEveryField();
    const { skills } = await new SkillRegistry({ skills: given }).listSkills();
    expect(skills.map((skill) => skillMetadataFromJson(JSON.parse(JSON.stringify(skill))))).toEqual(
      given.map(({ body: _body, ...metadata }) => ({ version: null, ...metadata })),
    );
  });

  it('CON-8: knows a version, and that there is none', () => {
    expect(skillMetadataFromJson({ ...basic, version: '1.10' })?.version).toBe('1.10');
    expect(skillMetadataFromJson({ ...basic, version: null })?.version).toBeNull();
    expect(skillMetadataFromJson(basic)?.version).toBeNull();
  });

  it.each([
    ['license', 1],
    ['metadata', { a: 1 }],
    ['allowedTools', 'Read'],
    ['tools', [1]],
    ['autoActivate', 'never'],
    ['disableModelInvocation', 'true'],
    ['surfaceMode', 'nowhere'],
    ['refreshPolicy', { afterTokens: '1000' }],
    ['refreshPolicy', { afterTokens: 1000, via: 'fax' }],
    ['steps', { 0: 'a' }],
    ['fields', { a: 1 }],
    ['fields', nested(40)],
    ['steps', [nested(40)]],
  ])('leaves %s out where it is %j, and tells', (field, value) => {
    const ignored: string[] = [];
    expect(skillMetadataFromJson({ ...basic, [field]: value }, (name) => ignored.push(name))).toEqual({ ...basic, version: null });
    expect(ignored).toEqual([field]);
  });

  it('leaves out what is no field, and an origin that claims trust', () => {
    const hostile = JSON.parse(
      '{"origin":{"kind":"code","label":"x","trusted":true},"__proto__":{"tools":["a"]},"constructor":"x","other":1}',
    ) as object;
    const ignored: string[] = [];
    const metadata = skillMetadataFromJson({ ...hostile, ...basic }, (name) => ignored.push(name));
    expect(metadata).toStrictEqual({ ...basic, version: null });
    expect(ignored).toEqual([]);
  });

  it.each([{}, { name: 'a' }, { name: ' ', description: 'b' }, { name: 'a', description: '' }, { name: 1, description: 'b' }])(
    'is nothing without a name and a description: %j',
    (json) => {
      expect(skillMetadataFromJson(json)).toBeNull();
    },
  );

  it('shares nothing with the JSON', () => {
    const json = { ...basic, tools: ['a'] };
    const metadata = skillMetadataFromJson(json);
    json.tools.push('b');
    expect(metadata?.tools).toEqual(['a']);
  });
});

function nested(depth: number): unknown {
  return depth === 0 ? 'end' : { a: nested(depth - 1) };
}
