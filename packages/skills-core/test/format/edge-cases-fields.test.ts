import { describe, expect, it } from 'vitest';
import { parseSkillMd, type ParsedSkillMd, type ParseSkillMdOptions } from '@repertoire/skills-core/skill-md';

function lenient(frontmatter: string, options: ParseSkillMdOptions = {}): ParsedSkillMd {
  return parseSkillMd(`---\n${frontmatter}\n---\nBody.\n`, options);
}

function codesOf({ diagnostics }: Pick<ParsedSkillMd, 'diagnostics'>): string[] {
  return diagnostics.map(({ severity, code, line }) => `${line} ${severity} ${code}`);
}

const base = 'name: d\ndescription: Does things.';

describe('the fields', () => {
  it.each(['123', '1.10', 'yes', 'null', '1e3', '0x10', '2026-01-01', 'true'])(
    'EDGE-13 FMT-3: the name and version %s stay text',
    (text) => {
      expect(lenient(`name: ${text}\ndescription: ${text}\nversion: ${text}\nother: ${text}`).metadata).toEqual({
        name: text,
        description: text,
        version: text,
        fields: { other: text },
      });
    },
  );

  it('EDGE-13 FMT-2: switches understand true, yes, on and 1 in any case', () => {
    for (const text of ['true', 'Yes', 'ON', '1', '"true"'])
      expect(lenient(`${base}\ndisable-model-invocation: ${text}`).metadata?.disableModelInvocation).toBe(true);
    for (const text of ['false', 'No', 'OFF', '0']) expect(lenient(`${base}\nuser-invocable: ${text}`).metadata?.userInvocable).toBe(false);
    const parsed = lenient(`${base}\nuser-invocable: maybe`);
    expect(parsed.metadata).toEqual({ name: 'd', description: 'Does things.', version: null, fields: { 'user-invocable': 'maybe' } });
    expect(codesOf(parsed)).toEqual(['4 warning field-invalid-value']);
  });

  it.each([
    ['|\n  a\n  b\n', 'a\nb'],
    ['|+\n  a\n\n', 'a'],
    ['>\n  a\n  b\n\n  c', 'a b\nc'],
    ['>-\n  a\n  b', 'a b'],
    ['a\n  b', 'a b'],
    ['"a\n  b\\tc"', 'a b\tc'],
    ["'it''s'", "it's"],
  ])('EDGE-14 FMT-3: reads the description %j', (written, read) => {
    expect(lenient(`name: d\ndescription: ${written}`)).toMatchObject({ metadata: { description: read }, diagnostics: [] });
  });

  it('EDGE-15 FMT-1: counts code points; trimmed where it loads, as written where it judges', () => {
    const padded = `name: d\ndescription: "${'😀'.repeat(1024)}  "`;
    expect(lenient(padded).diagnostics).toEqual([]);
    expect(codesOf(lenient(padded, { profile: 'strict' }))).toEqual(['3 error description-too-long']);
    expect(codesOf(lenient(`name: d\ndescription: ${'😀'.repeat(1025)}`))).toEqual(['3 warning description-too-long']);
  });

  it('EDGE-16 FMT-1: names are NFKC; combining marks that do not compose are no letters', () => {
    const parsed = lenient('name: ｓｋｉｌｌ\ndescription: x', { directoryName: 'skill' });
    expect(parsed.metadata?.name).toBe('skill');
    expect(codesOf(parsed)).toEqual(['2 info name-normalized']);
    expect(codesOf(lenient('name: เรียน\ndescription: x'))).toContain('2 warning name-invalid-characters');
  });

  it('EDGE-17 FMT-3: metadata that is no text is given as JSON, and raw in fields', () => {
    const parsed = lenient(`${base}\nmetadata:\n  plain: 1.0\n  nested:\n    a: [1, two]\n  empty:`);
    expect(parsed.metadata?.metadata).toEqual({ plain: '1.0', nested: '{"a":["1","two"]}', empty: '' });
    expect(parsed.metadata?.fields).toEqual({ metadata: { plain: '1.0', nested: { a: ['1', 'two'] }, empty: '' } });
    expect(codesOf(parsed)).toEqual(['4 warning metadata-not-text']);
    for (const nothing of ['', ' null', ' ~'])
      expect(lenient(`${base}\nmetadata:${nothing}`)).toMatchObject({ metadata: { name: 'd' }, diagnostics: [] });
    expect(lenient(`${base}\nmetadata: [a]`)).toMatchObject({
      metadata: { fields: { metadata: ['a'] } },
      diagnostics: [{ code: 'metadata-not-map' }],
    });
  });

  it('EDGE-18 FMT-3: reads allowed-tools in every form, and tells which', () => {
    const forms: [string, string[]][] = [
      ['Read Bash(git add *)', []],
      ['Read, Bash(git add *)', ['4 info allowed-tools-separator']],
      ['\n- Read\n- Bash(git add *)', ['4 info allowed-tools-separator']],
      ['[Read, Bash(git add *)]', ['4 info allowed-tools-separator']],
    ];
    for (const [written, codes] of forms) {
      const parsed = lenient(`${base}\nallowed-tools: ${written}`);
      expect(parsed.metadata?.allowedTools).toEqual(['Read', 'Bash(git add *)']);
      expect(codesOf(parsed)).toEqual(codes);
    }
    // The reference validator does not refuse it, so it is no error for authors either.
    for (const profile of ['lenient', 'strict'] as const) {
      const broken = lenient(`${base}\nallowed-tools: Read Bash(git`, { profile });
      expect(broken.metadata).toMatchObject({ allowedTools: ['Read'], fields: { 'allowed-tools': 'Read Bash(git' } });
      expect(codesOf(broken)).toEqual(['4 warning allowed-tools-syntax']);
    }
  });

  it('EDGE-19 FMT-2: unknown fields are kept verbatim, and are no fault', () => {
    const parsed = lenient(`${base}\nauthor: Someone\ntags: [a, b]\nrequires:\n  env:\n    - TOKEN\nempty:`);
    expect(parsed.metadata?.fields).toEqual({ author: 'Someone', tags: ['a', 'b'], requires: { env: ['TOKEN'] }, empty: '' });
    expect(parsed.diagnostics).toEqual([]);
  });

  it.each([
    ['user_invocable: false', { userInvocable: false }],
    ['userInvocable: false', { userInvocable: false }],
    ['disableModelInvocation: true', { disableModelInvocation: true }],
    ['allowed_tools: Read', { allowedTools: ['Read'] }],
    ['when-to-use: Often.', { whenToUse: 'Often.' }],
    ['License: MIT', { license: 'MIT' }],
    ['argumentHint: "[x]"', { argumentHint: '[x]' }],
  ])('EDGE-19 FMT-2: understands the spelling %s, with a warning', (line, expected) => {
    const parsed = lenient(`${base}\n${line}`);
    expect(parsed.metadata).toEqual({ name: 'd', description: 'Does things.', version: null, ...expected });
    expect(codesOf(parsed)).toEqual(['4 warning field-spelling']);
  });

  it('EDGE-19 FMT-2: the documented spelling wins over a variant, wherever it stands', () => {
    const parsed = lenient(`${base}\nuser_invocable: true\nuser-invocable: false`);
    expect(parsed.metadata).toMatchObject({ userInvocable: false, fields: { user_invocable: 'true' } });
    expect(parsed.diagnostics[0]).toMatchObject({
      code: 'field-spelling',
      line: 4,
      message: '"user_invocable" was not read: "user-invocable" is there as well.',
    });
  });

  it('EDGE-19 FMT-3: points at what looks like a slip of the pen', () => {
    const parsed = lenient('name: d\ndescripton: Does things.');
    expect(parsed.metadata).toBeNull();
    expect(parsed.diagnostics.map(({ code, fix }) => `${code}: ${fix}`)).toEqual([
      'description-missing: Rename "descripton" to "description".',
      'field-unknown: Did you mean "description"?',
    ]);
  });

  it('EDGE-21 FMT-3: takes the name of the folder where there is none; a description has no substitute', () => {
    for (const [written, code] of [
      ['', 'name-missing'],
      ['name:\n', 'name-missing'],
      ['name: { SKILL_NAME }\n', 'name-not-text'],
      ['name: [a]\n', 'name-not-text'],
    ] as const) {
      const parsed = lenient(`${written}description: x`, { directoryName: 'folder' });
      expect(parsed.metadata?.name).toBe('folder');
      expect(parsed.diagnostics.map((diagnostic) => `${diagnostic.severity} ${diagnostic.code}`)).toEqual([`warning ${code}`]);
      const nameless = lenient(`${written}description: x`);
      expect(nameless.metadata).toBeNull();
      expect(nameless.diagnostics.map((diagnostic) => `${diagnostic.severity} ${diagnostic.code}`)).toEqual([`error ${code}`]);
    }
    for (const written of ['', '\ndescription:', '\ndescription: "  "', '\ndescription: |\n']) {
      const parsed = lenient(`name: d${written}`);
      expect(parsed.metadata).toBeNull();
      expect(parsed.body).toBe('Body.');
      expect(parsed.diagnostics).toMatchObject([
        { code: 'description-missing', severity: 'error', skill: 'd', fix: expect.stringContaining('description') },
      ]);
    }
  });

  it('FMT-3: loads a skill under its written name where the folder or the rules say otherwise', () => {
    const parsed = lenient('name: stitch::React Native\ndescription: x', { directoryName: 'react-native' });
    expect(parsed.metadata?.name).toBe('stitch::React Native');
    expect(codesOf(parsed)).toEqual([
      '2 warning name-not-lowercase',
      '2 warning name-invalid-characters',
      '2 warning name-directory-mismatch',
    ]);
    expect(parsed.diagnostics.map(({ fix }) => fix)).toContain('Rename it, for example to "stitch-react-native".');
    expect(lenient('name: d\ndescription: x', { directoryName: 'd' }).diagnostics).toEqual([]);
  });

  it('FMT-1: reports names with the words "anthropic" and "claude"', () => {
    for (const profile of ['strict', 'lenient'] as const) {
      for (const name of ['claude-helper', 'use-anthropic']) {
        const parsed = lenient(`name: ${name}\ndescription: x`, { profile });
        expect(parsed.metadata?.name).toBe(name);
        expect(codesOf(parsed)).toEqual(['2 info name-reserved-word']);
      }
    }
  });

  it('FMT-2: reads every cross-tool field', () => {
    const parsed = lenient(`${base}
version: 1.10
when_to_use: When asked.
tools: process_refund, lookup_order
autoActivate: currentSkill
disable-model-invocation: no
user-invocable: true
argument-hint: [issue] [priority]
arguments: issue priority
model: inherit
context: fork
agent: Explore
effort: high
disallowed-tools: [Write]
background: true
hooks:
  Stop:
    - timeout: 10
      blocking: true
steps:
  - tool: refund
    args: { amount: 10, rate: 0.5, note: "10", dry: false, none: null, when: 2026-01-01 }`);
    expect(parsed.metadata).toEqual({
      name: 'd',
      description: 'Does things.',
      version: '1.10',
      whenToUse: 'When asked.',
      tools: ['process_refund', 'lookup_order'],
      autoActivate: 'currentSkill',
      disableModelInvocation: false,
      userInvocable: true,
      argumentHint: '[issue] [priority]',
      arguments: ['issue', 'priority'],
      model: 'inherit',
      context: 'fork',
      agent: 'Explore',
      steps: [{ tool: 'refund', args: { amount: 10, rate: 0.5, note: '10', dry: false, none: null, when: '2026-01-01' } }],
      fields: { effort: 'high', 'disallowed-tools': ['Write'], background: 'true', hooks: { Stop: [{ timeout: '10', blocking: 'true' }] } },
    });
    expect(parsed.typed).toEqual({ hooks: { Stop: [{ timeout: 10, blocking: true }] }, steps: parsed.metadata?.steps });
    expect(codesOf(parsed)).toEqual(['10 warning yaml-repaired']);
  });

  it.each([
    ['tools:\n- a\n- b', { tools: ['a', 'b'] }],
    ['auto-activate: always', { autoActivate: 'always' }],
    ['arguments: [issue]', { arguments: ['issue'] }],
    ['argument-hint: [issue]', { argumentHint: '[issue]' }],
    ['argument-hint: [topic: foo | bar]', { argumentHint: '[topic: foo | bar]' }],
    ['tools: {a: b}', { fields: { tools: { a: 'b' } } }],
    ['autoActivate: sometimes', { fields: { autoActivate: 'sometimes' } }],
    ['steps: later', { fields: { steps: 'later' } }],
    ['license: [MIT, BSD]', { license: '[MIT, BSD]' }],
  ])('FMT-2: reads %j', (line, expected) => {
    expect(lenient(`${base}\n${line}`).metadata).toEqual({ name: 'd', description: 'Does things.', version: null, ...expected });
  });

  it('FMT-3: a description that is a map or list to YAML is what is written', () => {
    const parsed = lenient('name: d\ndescription:\n  Use when: asked\n  or: so');
    expect(parsed.metadata?.description).toBe('Use when: asked\nor: so');
    expect(codesOf(parsed)).toEqual(['3 warning field-not-text']);
  });

  it('FMT-2: everything is plain data that can be cloned', () => {
    const { metadata, frontmatter } = lenient(`${base}\nsteps:\n  - a: { b: [1] }\nx: { y: [z] }\nmetadata: { k: [v] }`);
    expect(structuredClone(metadata)).toEqual(metadata);
    expect(JSON.parse(JSON.stringify(metadata))).toEqual(metadata);
    expect(structuredClone(frontmatter)).toEqual(frontmatter);
  });
});
