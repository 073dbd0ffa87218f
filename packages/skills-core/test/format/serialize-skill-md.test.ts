import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SkillError } from '@repertoire/skills-core';
import type { SkillFieldValue } from '@repertoire/skills-core/internal';
import { parseSkillMd, serializeSkillMd } from '@repertoire/skills-core/skill-md';
import { propertyRuns } from '../../../../test/support/property-runs.ts';

function roundTrip(skill: Parameters<typeof serializeSkillMd>[0]): unknown {
  const { metadata, body, diagnostics } = parseSkillMd(serializeSkillMd(skill), { maxFrontmatterBytes: 1e6 });
  return metadata === null ? diagnostics : { ...metadata, body };
}

const nasty = [
  'a: b',
  ' #c',
  '# c',
  '- a',
  '[a',
  '{a',
  '*a',
  '&a',
  '!a',
  '%a',
  '@a',
  '`a`',
  ',a',
  '|',
  '>',
  '|text',
  '? a',
  ': a',
  "it's",
  '"q"',
  "'q'",
  'a\nb',
  'a\n\n\nb',
  '\na',
  ' a\n  b',
  'a\n---\nb',
  '---',
  '------',
  'a --- b',
  '\\---',
  '...',
  '1',
  '1.10',
  '0x10',
  '1e3',
  'yes',
  'no',
  'null',
  '~',
  'true',
  '2026-01-01',
  '1:30',
  '',
  ' ',
  '\t',
  'a\tb',
  '\ta',
  'a\r\nb',
  '\u0000',
  '\u0085',
  '\u2028',
  '\uFEFF',
  '\uFEFFa',
  '\uD800',
  '😀',
  'é',
  'e\u0301',
  '\u200B',
  '<<',
  '=',
  '<<<<<<< HEAD',
  'a\n=======\nb',
  '__proto__',
  'constructor',
  'x'.repeat(2000),
  '\u001B[31m',
  'a\\nb',
  'a \nb',
  'a\n ',
];
const text = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.array(fc.constantFrom(...nasty), { maxLength: 4 }).map((parts) => parts.join(' ')),
);
const trimmed = text.map((value) => value.trim()).filter((value) => value !== '');
const name = fc.stringMatching(/^[a-z0-9]{1,8}(?:-[a-z0-9]{1,8}){0,3}$/);
const { value: fieldValue } = fc.letrec<{ value: SkillFieldValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const likelyPattern = fc.constantFrom(
  'Read',
  'Bash(git:*)',
  'Bash(git add *)',
  'Azure MCP/documentation',
  'Bash(a,b)',
  "Bash(echo don't)",
  'null',
  '-',
  '"Read"',
  'mcp__a__*',
  'Bash(x "y)")',
);
// Also whatever could be taken for a pattern that the one string can hold.
const pattern = fc.oneof(likelyPattern, fc.stringMatching(/^\w[\w.:*/-]{0,5}(?:\([\w ,:*.\n-]{0,6}\))?$/));
const names = fc.uniqueArray(fc.constantFrom('issue', 'process_refund', 'null', 'a b', '1', 'yes'), { maxLength: 4 });
const optional = { requiredKeys: ['name', 'description', 'body'] as ('name' | 'description' | 'body')[] };
const skill = fc.record(
  {
    name,
    description: trimmed,
    body: text.map((value) => value.replace(/\r\n?/g, '\n').trim()).filter((value) => !value.includes('\0')),
    license: trimmed,
    compatibility: trimmed,
    metadata: fc.dictionary(text, text, { maxKeys: 4 }),
    allowedTools: fc.uniqueArray(pattern, { maxLength: 4 }),
    version: trimmed,
    whenToUse: trimmed,
    tools: names,
    autoActivate: fc.constantFrom('currentSkill' as const, 'always' as const),
    disableModelInvocation: fc.boolean(),
    userInvocable: fc.boolean(),
    argumentHint: trimmed,
    arguments: names,
    model: trimmed,
    context: trimmed,
    agent: trimmed,
    steps: fc.array(
      fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes('-0')),
      { maxLength: 3 },
    ),
    fields: fc.dictionary(
      fc.oneof(
        fc.constantFrom('author', 'tags', '__proto__', '1', 'x: y', 'a b', '# c', '---', 'hooks', '', 'a\nb'),
        text.map((key) => `x${key}`),
      ),
      fieldValue,
      { minKeys: 1, maxKeys: 4 },
    ),
  },
  optional,
);

describe('serializeSkillMd', () => {
  it('EDGE-49 FMT-1: what is written reads back as the same skill, whatever the text', () => {
    fc.assert(
      fc.property(skill, (value) => {
        expect(roundTrip(value)).toEqual({ version: null, ...value });
      }),
      { seed: 1, numRuns: propertyRuns(300) },
    );
  });

  it.each(nasty.filter((value) => value.trim() === value && value !== ''))(
    'EDGE-49 FMT-1: the description %j comes back',
    (description) => {
      expect(roundTrip({ name: 'd', description, body: 'B' })).toEqual({ name: 'd', description, version: null, body: 'B' });
    },
  );

  it('EDGE-49 FMT-2: metadata that is no text comes back from fields', () => {
    const { metadata, body } = parseSkillMd(
      '---\nname: d\ndescription: x\nmetadata:\n  a: 1\n  b: [1, { c: d }]\nallowed-tools: Read Bash(git\n---\nB',
    );
    expect(metadata?.metadata).toEqual({ a: '1', b: '["1",{"c":"d"}]' });
    expect(metadata && roundTrip({ ...metadata, body })).toEqual({ ...metadata, body });
  });

  it('EDGE-49 FMT-1: writes for people: a fixed order, quotes only where they are needed', () => {
    const written = serializeSkillMd({
      body: '\r\n# Title\r\n\r\nText.\r\n',
      fields: { author: 'Someone', metadata: { when: ['now'] } },
      metadata: { when: '["now"]' },
      steps: [{ tool: 'refund', args: { amount: 10, note: '10' } }],
      userInvocable: false,
      version: '1.10',
      allowedTools: ['Read', 'Bash(git add *)'],
      tools: ['refund'],
      description: 'One: two.\nThree --- four, yes.',
      name: 'd',
      origin: { kind: 'fs', label: 'l', trusted: true },
    });
    expect(written).toBe(`---
name: d
description: "One: two.\\nThree -\\x2d- four, yes."
allowed-tools: Read Bash(git add *)
metadata:
  when:
    - now
version: "1.10"
tools:
  - refund
user-invocable: false
steps:
  - tool: refund
    args:
      amount: 10
      note: "10"
author: Someone
---

# Title

Text.
`);
    expect(serializeSkillMd({ name: 'd', description: 'Line one.\nLine two: more.', body: '' })).toBe(
      '---\nname: d\ndescription: |-\n  Line one.\n  Line two: more.\n---\n',
    );
  });

  it('EDGE-49 FMT-3: what the standard knows is valid under strict when it is written', () => {
    const written = serializeSkillMd({
      name: 'd',
      description: 'a: b --- c',
      license: 'yes',
      compatibility: '#1',
      allowedTools: ['Read', 'Bash(x y)'],
      metadata: { version: '1.0', note: '' },
      body: 'B',
    });
    expect(parseSkillMd(written, { profile: 'strict', directoryName: 'd' }).diagnostics).toEqual([]);
    // As the reference library splits it, which cuts at any three hyphens.
    expect(written.split('---')).toHaveLength(3);
  });

  it('EDGE-49 FMT-1: refuses to write what nothing could read', () => {
    for (const broken of [
      { name: ' ', description: 'x' },
      { name: 'd', description: '' },
    ]) {
      expect(() => serializeSkillMd({ ...broken, body: '' })).toThrow(expect.objectContaining({ code: 'invalid-skill' }));
      expect(() => serializeSkillMd({ ...broken, body: '' })).toThrow(SkillError);
    }
  });
});

describe('what is very long', () => {
  it('FMT-2: is written in quotes, and read back', () => {
    const description = `Long. ${'word '.repeat(400_000)}end`;
    const written = serializeSkillMd({ name: 'long', description, version: null, body: 'Read.' });
    expect(written.length).toBeGreaterThan(description.length);
    expect(written).toContain('"Long. word');
  });
});
