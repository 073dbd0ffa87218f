import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SkillError } from '@repertoire/skills-core';
import { parseCoreYaml } from '@repertoire/skills-core/skill-md';

describe('parseCoreYaml', () => {
  it.each([
    'a: 1.10\nb: "1.10"\nc: yes\nd: true\ne: ~\nf: 0x1F\ng: 2026-01-01\n',
    'a: &x [1, b]\nb: *x\nc: !!str 1\nd: {e: null}\n',
    'a: |+\n  b\n\n',
    '',
  ])('SRC-6: reads what the library reads by the core schema: %j', (text) => {
    expect(parseCoreYaml(text)).toEqual(parse(text, { schema: 'core', version: '1.2' }));
  });

  it.each([
    ['a: b: c\n', 'Nested mappings'],
    ['a: 1\nb: 2\na: 3\n', 'must be unique: a'],
    ['a: *b\n', 'Unresolved alias'],
    [`a: [${','.repeat(2_000)}]\n`, 'very long'],
  ])('refuses %j', (text, why) => {
    expect(() => parseCoreYaml(text)).toThrow(SkillError);
    expect(() => parseCoreYaml(text)).toThrow(why);
  });
});
