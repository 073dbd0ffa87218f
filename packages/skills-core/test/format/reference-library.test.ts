import { describe, expect, it } from 'vitest';
import { parseSkillMd, serializeSkillMd, type ParsedSkillMd } from '@repertoire/skills-core/skill-md';

// The numbers are those of the 40 test cases of the standard's reference library. Left to other tests: 8, 11-14 and 21-23 are about files and
// folders, 16-19 about the prompt.

function strict(
  fields: string,
  { directoryName, body = '# Heading\n\nText.' }: { directoryName?: string; body?: string } = {},
): ParsedSkillMd {
  return parseSkillMd(`---\n${fields}\n---\n${body}\n`, { profile: 'strict', directoryName });
}

function errorsOf(parsed: ParsedSkillMd): string[] {
  return parsed.diagnostics.filter(({ severity }) => severity === 'error').map(({ code, message, line }) => `${line} ${code}: ${message}`);
}

describe('the reference library, parser', () => {
  it('REF-1 FMT-1: reads name, description and body', () => {
    const parsed = strict('name: my-skill\ndescription: A test skill', { directoryName: 'my-skill' });
    expect(parsed).toMatchObject({
      metadata: { name: 'my-skill', description: 'A test skill' },
      body: '# Heading\n\nText.',
      diagnostics: [],
    });
  });

  it('REF-2 FMT-1: refuses a file without frontmatter', () => {
    const parsed = parseSkillMd('# No frontmatter here', { profile: 'strict' });
    expect(parsed.metadata).toBeNull();
    expect(errorsOf(parsed)).toEqual([expect.stringMatching(/^1 frontmatter-missing: .*must start with YAML frontmatter/)]);
  });

  it('REF-3 FMT-1: refuses frontmatter that is not closed', () => {
    const parsed = parseSkillMd('---\nname: my-skill\ndescription: A test skill\n', { profile: 'strict' });
    expect(parsed.metadata).toBeNull();
    expect(errorsOf(parsed)).toEqual([expect.stringMatching(/^1 frontmatter-unclosed: .*never closed/)]);
  });

  it('REF-4 FMT-1: refuses invalid YAML', () => {
    const parsed = strict('name: [invalid\ndescription: A test skill');
    expect(parsed.metadata).toBeNull();
    expect(errorsOf(parsed)).toEqual([expect.stringMatching(/ yaml-invalid: .*not valid YAML/)]);
  });

  it('REF-5 FMT-1: refuses frontmatter that is a list', () => {
    const parsed = strict('- just\n- a list');
    expect(parsed.metadata).toBeNull();
    expect(errorsOf(parsed)).toEqual([expect.stringMatching(/^2 frontmatter-not-mapping: .*no map/)]);
  });

  it('REF-6 FMT-1: reads the license', () => {
    expect(strict('name: my-skill\ndescription: A test skill\nlicense: MIT').metadata).toEqual({
      version: null,
      name: 'my-skill',
      description: 'A test skill',
      license: 'MIT',
    });
  });

  it('REF-7 FMT-1: metadata values stay the text that is written', () => {
    const parsed = strict('name: my-skill\ndescription: A test skill\nmetadata:\n  author: Someone\n  version: 1.0');
    expect(parsed.metadata?.metadata).toEqual({ author: 'Someone', version: '1.0' });
    expect(parsed.diagnostics).toEqual([]);
  });

  it('REF-9 FMT-1: refuses a missing name', () => {
    const parsed = strict('description: A test skill', { directoryName: 'my-skill' });
    expect(parsed.metadata).toBeNull();
    expect(errorsOf(parsed)).toEqual(['1 name-missing: There is no name.']);
  });

  it('REF-10 FMT-1: refuses a missing description', () => {
    const parsed = strict('name: my-skill');
    expect(parsed.metadata).toBeNull();
    expect(errorsOf(parsed)).toEqual([expect.stringContaining('1 description-missing: There is no description')]);
  });

  it('REF-15 FMT-1: keeps allowed-tools, and writes it under its hyphenated key', () => {
    const { metadata, body, frontmatter } = strict('name: my-skill\ndescription: A test skill\nallowed-tools: Bash(jq:*) Bash(git:*)');
    expect(metadata?.allowedTools).toEqual(['Bash(jq:*)', 'Bash(git:*)']);
    expect(frontmatter['allowed-tools']).toBe('Bash(jq:*) Bash(git:*)');
    expect(metadata && serializeSkillMd({ ...metadata, body })).toContain('\nallowed-tools: Bash(jq:*) Bash(git:*)\n');
  });
});

describe('the reference library, validator', () => {
  const described = (name: string) => `name: ${name}\ndescription: A test skill`;

  it('REF-20 FMT-1: has nothing to say of a valid skill', () => {
    expect(strict(described('my-skill'), { directoryName: 'my-skill' }).diagnostics).toEqual([]);
  });

  it.each([
    ['REF-24', 'MySkill', 'name-not-lowercase', 'must be lowercase'],
    ['REF-25', 'a'.repeat(70), 'name-too-long', 'exceeds 64 characters (70)'],
    ['REF-26', '-my-skill', 'name-edge-hyphen', 'must not start or end with a hyphen'],
    ['REF-27', 'my--skill', 'name-double-hyphen', 'consecutive hyphens'],
    ['REF-28', 'my_skill', 'name-invalid-characters', 'only letters, digits and hyphens'],
    ['REF-36', 'НАВЫК', 'name-not-lowercase', 'must be lowercase'],
  ])('%s FMT-1: refuses the name %s', (_, name, code, words) => {
    const parsed = strict(described(name), { directoryName: name });
    expect(parsed.metadata).toBeNull();
    const errors = errorsOf(parsed);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(`2 ${code}: `);
    expect(errors[0]).toContain(words);
  });

  it('REF-29 FMT-1: refuses a name that is not that of the folder', () => {
    const parsed = strict(described('right-name'), { directoryName: 'wrong-name' });
    expect(parsed.metadata).toBeNull();
    expect(errorsOf(parsed)).toEqual(['2 name-directory-mismatch: The name "right-name" is not that of the folder, "wrong-name".']);
  });

  it('REF-30 FMT-1: refuses a field that the standard does not know', () => {
    const parsed = strict(`${described('my-skill')}\nunknown_field: should not be here`);
    expect(parsed.metadata).toBeNull();
    expect(errorsOf(parsed)).toEqual(['4 field-unknown: The field "unknown_field" is not one that the standard knows.']);
  });

  it('REF-31 FMT-1: accepts license and metadata', () => {
    expect(
      strict(`${described('my-skill')}\nlicense: MIT\nmetadata:\n  author: Someone`, { directoryName: 'my-skill' }).diagnostics,
    ).toEqual([]);
  });

  it('REF-32 FMT-1: accepts allowed-tools', () => {
    expect(strict(`${described('my-skill')}\nallowed-tools: Bash(jq:*) Bash(git:*)`, { directoryName: 'my-skill' }).diagnostics).toEqual(
      [],
    );
  });

  it.each([
    ['REF-33', '技能'],
    ['REF-34', 'мой-навык'],
    ['REF-35', 'навык'],
  ])('%s FMT-1: accepts the name %s, and notes that some clients do not', (_, name) => {
    const parsed = strict(described(name), { directoryName: name });
    expect(parsed.metadata?.name).toBe(name);
    expect(parsed.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual(['info name-not-ascii']);
  });

  it('REF-37 FMT-1: refuses a description of 1100 characters', () => {
    const parsed = strict(`name: my-skill\ndescription: ${'x'.repeat(1100)}`);
    expect(parsed.metadata).toBeNull();
    expect(errorsOf(parsed)).toEqual(['3 description-too-long: The description has 1100 characters; at most 1024 are allowed.']);
  });

  it('REF-38 FMT-1: accepts compatibility', () => {
    const parsed = strict(`${described('my-skill')}\ncompatibility: Requires Python 3.11+`);
    expect(parsed).toMatchObject({ metadata: { compatibility: 'Requires Python 3.11+' }, diagnostics: [] });
  });

  it('REF-39 FMT-1: refuses a compatibility of 550 characters', () => {
    const parsed = strict(`${described('my-skill')}\ncompatibility: ${'x'.repeat(550)}`);
    expect(parsed.metadata).toBeNull();
    expect(errorsOf(parsed)).toEqual(['4 compatibility-too-long: compatibility has 550 characters; at most 500 are allowed.']);
  });

  it('REF-40 FMT-1: compares name and folder in NFKC', () => {
    const parsed = strict(described('cafe\u0301'), { directoryName: 'caf\u00E9' });
    expect(parsed.metadata?.name).toBe('caf\u00E9');
    expect(errorsOf(parsed)).toEqual([]);
  });
});

describe('what the reference library does beyond its own tests', () => {
  const invalid: [string, string, string][] = [
    ['blank lines before the frontmatter', '\n---\nname: d\ndescription: x\n---\n', 'frontmatter-blank-lines'],
    ['an unquoted colon', '---\nname: d\ndescription: a: b\n---\n', 'yaml-invalid'],
    ['a duplicate key', '---\nname: d\ndescription: x\ndescription: y\n---\n', 'duplicate-key'],
    ['an anchor', '---\nname: &n d\ndescription: x\n---\n', 'yaml-anchor'],
    ['an alias', '---\nname: d\ndescription: &t x\nlicense: *t\n---\n', 'yaml-anchor'],
    ['a tag', '---\nname: !!str d\ndescription: x\n---\n', 'yaml-tag'],
    ['tabs for indentation', '---\nname: d\ndescription: x\nmetadata:\n\ta: b\n---\n', 'yaml-invalid'],
    ['an empty description', '---\nname: d\ndescription:\n---\n', 'description-missing'],
    ['... as the closing line', '---\nname: d\ndescription: x\n...\n', 'frontmatter-unclosed'],
    ['1024 characters and two spaces', `---\nname: d\ndescription: "${'x'.repeat(1024)}  "\n---\n`, 'description-too-long'],
    ['a compatibility that is a list', '---\nname: d\ndescription: x\ncompatibility:\n- a\n---\n', 'field-not-text'],
    ['a description that is a list', '---\nname: d\ndescription:\n- a\n---\n', 'field-not-text'],
    ['a name that is a map', '---\nname:\n  a: b\ndescription: x\n---\n', 'name-not-text'],
    ['an empty name', '---\nname: ""\ndescription: x\n---\n', 'name-missing'],
    ['fields of other tools', '---\nname: d\ndescription: x\nversion: 1.0\n---\n', 'field-unknown'],
    ['empty frontmatter', '---\n---\n', 'name-missing'],
  ];
  it.each(invalid)('FMT-3: strict refuses %s', (_, content, code) => {
    const parsed = parseSkillMd(content, { profile: 'strict', directoryName: 'd' });
    expect(parsed.metadata).toBeNull();
    expect(parsed.diagnostics.filter(({ severity }) => severity === 'error').map((diagnostic) => diagnostic.code)).toContain(code);
  });

  const valid: [string, string][] = [
    ['CRLF', '---\r\nname: d\r\ndescription: x\r\n---\r\nBody\r\n'],
    ['spaces behind the delimiters', '---  \nname: d\ndescription: x\n---\t\n'],
    ['a block list of allowed-tools', '---\nname: d\ndescription: x\nallowed-tools:\n- Read\n- Bash\n---\n'],
    ['scalars of other types', '---\nname: d\ndescription: true\nlicense: 123\n---\n'],
    ['a nested metadata value', '---\nname: d\ndescription: x\nmetadata:\n  a:\n    b: c\n---\n'],
    ['metadata that is text', '---\nname: d\ndescription: x\nmetadata: foo\n---\n'],
    ['1024 emoji', `---\nname: d\ndescription: ${'😀'.repeat(1024)}\n---\n`],
    ['a padded name', '---\nname: " d "\ndescription: x\n---\n'],
    ['an empty compatibility', '---\nname: d\ndescription: x\ncompatibility: ""\n---\n'],
    ['a license that is a list', '---\nname: d\ndescription: x\nlicense:\n- MIT\n---\n'],
  ];
  it.each(valid)('FMT-3: strict accepts %s', (_, content) => {
    const parsed = parseSkillMd(content, { profile: 'strict', directoryName: 'd' });
    expect(parsed.metadata).toMatchObject({ name: 'd' });
    expect(parsed.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('FMT-3: strict departs from it on purpose: whole-line delimiters, byte order mark, flow style', () => {
    const parsed = parseSkillMd('\uFEFF---\nname: d\ndescription: a --- b\nallowed-tools: [Read, Bash]\n---\nB', { profile: 'strict' });
    expect(parsed.metadata).toEqual({ name: 'd', description: 'a --- b', version: null, allowedTools: ['Read', 'Bash'] });
    expect(parsed.body).toBe('B');
    expect(parsed.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'warning byte-order-mark',
      'warning allowed-tools-separator',
      'warning yaml-flow-style',
    ]);
    expect(parseSkillMd('---name: d\ndescription: x\n---\n', { profile: 'strict' }).metadata).toBeNull();
    expect(parseSkillMd('---\nname: d\ndescription: x ---\nBody', { profile: 'strict' }).metadata).toBeNull();
  });

  it('FMT-3: every broken rule of a name is told at once', () => {
    const codes = strict(`name: -My__Skill--${'x'.repeat(60)}\ndescription: x`).diagnostics.map(({ code }) => code);
    expect(codes.sort()).toEqual([
      'name-double-hyphen',
      'name-edge-hyphen',
      'name-invalid-characters',
      'name-not-lowercase',
      'name-too-long',
    ]);
  });

  it.each([
    ['allowedTools', 'allowed-tools'],
    ['allowed_tools', 'allowed-tools'],
    ['Description', 'description'],
    ['licence', 'license'],
  ])('FMT-3: strict asks whether %s was meant as %s', (key, meant) => {
    const [unknown] = strict(`name: d\ndescription: x\n${key}: y`).diagnostics.filter(({ code }) => code === 'field-unknown');
    expect(unknown?.fix).toBe(`Did you mean "${meant}"?`);
  });
});
