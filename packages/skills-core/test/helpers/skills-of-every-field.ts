import { SkillRegistry, type SkillDefinition, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { expect, it } from 'vitest';

type OptionalField = Exclude<keyof SkillDefinition, 'name' | 'description' | 'body' | 'content' | 'skillMd' | 'toolSet' | 'resources'>;

/** Values of every field that a file can have besides name and description. A new field does not compile without some. */
const values: { readonly [Field in OptionalField]: readonly NonNullable<SkillDefinition[Field]>[] } = {
  version: ['1.10', '2.0.0-rc.1+build', 'yes'],
  license: ['MIT', 'see: LICENSE'],
  compatibility: ['Needs # a shell.', 'null'],
  metadata: [{ title: 'A: b' }, { __proto__x: '1.10', 'a b': 'true' }],
  allowedTools: [['Read'], ['Bash(git add *)', 'mcp__a__*']],
  whenToUse: ['When a poem is wanted.', 'Two\nlines.'],
  tools: [['count_syllables'], ['null', 'a b']],
  autoActivate: ['always', 'currentSkill'],
  disableModelInvocation: [true, false],
  userInvocable: [false, true],
  argumentHint: ['[topic]', '<file> "a: b"'],
  arguments: [['topic'], ['issue', '1']],
  model: ['small', '5'],
  context: ['fork'],
  agent: ['poet'],
  surfaceMode: ['system-prompt', 'tool-only', 'both', 'auto'],
  refreshPolicy: [{ afterTokens: 1000, via: 'on-load' }, { afterTokens: 1 }, { afterTokens: 7, via: 'tool-result' }],
  steps: [[{ tool: 'count_syllables', with: { lines: 3, strict: true, none: null } }], [{ tool: 'a' }, { tool: 'b' }]],
  fields: [{ hooks: { start: ['a', { b: 'c' }] } }, { author: 'Ann', 'x-list': [] }],
};

/**
 * Tests that what `publish` makes of a library has its skills with every field that they have, and
 * with no other: in the listing and one by one. Source and digest are its own.
 *
 * @param source the feature that it is about, and the way
 * @param lost fields that the way has no place for
 */
export function testEveryField(
  source: string,
  publish: (library: SkillProvider) => Promise<SkillProvider>,
  lost: readonly OptionalField[] = [],
): void {
  const without = (skill: SkillMetadata | null, ...fields: string[]): object =>
    Object.fromEntries(
      Object.entries(skill ?? {}).filter(([field]) => field !== 'origin' && field !== 'content' && !fields.includes(field)),
    );
  it(`${source}: a published skill comes back with every field that it had, and no other`, async () => {
    const library = new SkillRegistry({ skills: skillsOfEveryField() });
    const [published, given] = [await publish(library), await library.listSkills()];
    const got = await published.listSkills();
    expect(given.skills.length).toBeGreaterThan(60);
    expect({ ...got, skills: [] }).toEqual({ ...given, skills: [] });
    expect(got.skills.map((skill) => without(skill))).toEqual(given.skills.map((skill) => without(skill, ...lost)));
    for (const { name } of given.skills) {
      const [was, is] = [await library.getSkill(name), await published.getSkill(name)];
      expect(without(is)).toEqual(without(was, ...lost));
    }
  });
}

/**
 * Skills in which every field is there alone with each of its values, is the only one that is not
 * there, and is there with all others.
 */
export function skillsOfEveryField(): readonly SkillDefinition[] {
  const fields = Object.entries(values);
  const withAll = (number: number) => fields.map(([field, of]) => [field, of[number % of.length]] as const);
  const cases: (readonly (readonly [field: string, value: unknown])[])[] = [
    [],
    ...fields.flatMap(([field, of]) => of.map((value) => [[field, value] as const])),
    ...fields.map(([without], index) => withAll(index).filter(([field]) => field !== without)),
    ...[0, 1, 2, 3].map(withAll),
  ];
  return cases.map((given, index) => ({
    name: `skill-${String(index).padStart(3, '0')}`,
    description: `Has ${given.length} fields.`,
    body: `# ${index}\n\nText.`,
    ...Object.fromEntries(given),
  }));
}
