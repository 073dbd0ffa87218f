import { SkillRegistry, type SkillDefinition, type SkillError, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { digestOfSkill, type ReadResourceOptions } from '@repertoire/skills-core/provider';
import { serializeSkillMd } from '@repertoire/skills-core/skill-md';
import { expect, it } from 'vitest';

/** A file of every kind of folder, of every kind of bytes, and with every kind of name. */
export const files: Readonly<Record<string, string | Uint8Array>> = {
  'a.md': '# A\n',
  LICENSE: 'Free.',
  'scripts/run.sh': '#!/bin/sh\ntrue\n',
  'references/deep/er/b.md': 'Größe, 日本語, 😀',
  'reference/c.json': '{}',
  'assets/d.png': Uint8Array.from({ length: 300 }, (_, index) => index % 256),
  'templates/e.html': '<p>',
  'Examples/f.txt': '\uFEFFBegins with a mark.\r\n',
  'empty.txt': '',
  'large.bin': new Uint8Array(100_000).fill(7),
  'a b/c d.md': 'Blanks.',
  'ü/日本.md': 'No ASCII.',
  "it's (1) [2] {3} & more, @home + $5 = !.md": 'Signs.',
};

type OptionalField = Exclude<keyof SkillDefinition, 'name' | 'description' | 'body' | 'content' | 'skillMd' | 'toolSet' | 'resources'>;

/**
 * Values of every field that a file can have besides name and description. A new field does not
 * compile without some.
 */
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
 * @param options.lost fields that the way has no place for
 * @param options.hasVersions whether it has a place for two versions of a skill
 */
export function testEveryField(
  source: string,
  publish: (library: SkillProvider) => Promise<SkillProvider>,
  { lost = [], hasVersions = true }: { readonly lost?: readonly OptionalField[]; readonly hasVersions?: boolean } = {},
): void {
  const without = (skill: SkillMetadata | null, ...fields: string[]): object =>
    Object.fromEntries(
      Object.entries(skill ?? {}).filter(([field]) => field !== 'origin' && field !== 'content' && !fields.includes(field)),
    );
  it(`${source}: each file comes back, whole and cut at every edge, by its path alone`, async () => {
    const skills = ['1.0.0', '2.0.0'].slice(hasVersions ? 0 : 1).map((version) => ({
      name: 'files',
      description: 'Has files.',
      body: 'b',
      version,
      resources: version === '1.0.0' ? { ...files, 'a.md': '# Old\n', 'gone.md': 'x' } : files,
    }));
    const library = new SkillRegistry({ skills });
    const published = await publish(library);
    const shown = async (provider: SkillProvider, ...[path, options]: [string, ReadResourceOptions]): Promise<object> => {
      const read = await provider.readResource('files', path, options).catch((error: unknown) => ({ code: (error as SkillError).code }));
      if (read === null || 'code' in read) return { read };
      const { digest: _, bytes, ...others } = read;
      return { ...others, bytes: Buffer.from(bytes).toString('latin1') };
    };
    for (const version of [undefined, '1.0.0', '2.0.0', '3.0.0']) {
      const [was, is] = [await library.getSkill('files', { version }), await published.getSkill('files', { version })];
      const entries = (skill: typeof was) =>
        skill?.resources.map(({ path, kind, mediaType, size }) => ({ path, kind, mediaType, size })).toSorted(byPath);
      expect(entries(is), version).toEqual(entries(was));
      for (const [path, content] of Object.entries({ ...files, 'gone.md': 'x', 'none.md': '', 'A.md': '', '../a.md': '' })) {
        const size = Buffer.byteLength(content);
        for (const maxBytes of [undefined, ...new Set([0, 1, size - 1, size, size + 1])].filter((most) => most === undefined || most >= 0))
          expect(await shown(published, path, { version, maxBytes }), `${path} ${version} ${maxBytes}`).toEqual(
            await shown(library, path, { version, maxBytes }),
          );
      }
    }
  });
  it(`${source}: a published skill comes back with every field that it had, and no other`, async () => {
    const library = new SkillRegistry({ skills: skillsOfEveryField() });
    const [published, given] = [await publish(library), await library.listSkills()];
    const got = await published.listSkills();
    expect(given.skills.length).toBeGreaterThan(60);
    expect({ ...got, skills: [] }).toEqual({ ...given, skills: [] });
    expect(got.skills.toSorted(byName).map((skill) => without(skill))).toEqual(given.skills.map((skill) => without(skill, ...lost)));
    // Asked again, at once and one by one, it answers the same.
    expect(await Promise.all([published.listSkills(), published.listSkills()])).toEqual([got, got]);
    for (const { name, version, content } of got.skills) {
      const [skill, again] = [await published.getSkill(name, { version }), await published.getSkill(name, { version })];
      expect(again).toEqual(skill);
      const told = await published.contentOf?.(name, { version });
      const computed = (await digestOfSkill(published, name, { version }))?.digest;
      for (const each of [content, skill?.content, told]) if (typeof each === 'string') expect(each, name).toBe(computed);
    }
    for (const { name } of given.skills) {
      const [was, is] = [await library.getSkill(name), await published.getSkill(name)];
      expect(without(is)).toEqual(without(was, ...lost));
    }
  });
}

/** The fields that only skills in code have: no SKILL.md has them. */
export const ofCode = { lost: ['surfaceMode', 'refreshPolicy'] } as const;

/** A library as files, by their paths in its folder: each skill in a folder of its name. */
export async function filesOfLibrary(library: SkillProvider): Promise<Record<string, Uint8Array>> {
  const written: Record<string, Uint8Array> = {};
  for (const { name } of (await library.listSkills()).skills) {
    const skill = await library.getSkill(name);
    if (skill === null) throw new Error(`${name} is listed, and not there.`);
    written[`${name}/SKILL.md`] = new TextEncoder().encode(serializeSkillMd(skill));
    for (const { path } of skill.resources)
      written[`${name}/${path}`] = (await library.readResource(name, path))?.bytes ?? new Uint8Array();
  }
  return written;
}

/**
 * Folders that hold a part of a library each: a look at one reads few frontmatters that take long.
 */
export function inParts(
  written: Readonly<Record<string, Uint8Array>>,
): readonly (readonly [part: string, files: Record<string, Uint8Array>])[] {
  const parts = Map.groupBy(Object.entries(written), ([path]) => /^skill-0(\d)/.exec(path)?.[1] ?? '0');
  return [...parts].map(([part, of]) => [`part-${part}`, Object.fromEntries(of)]);
}

const byName = (one: { readonly name: string }, other: { readonly name: string }): number => (one.name < other.name ? -1 : 1);
const byPath = (one: { readonly path: string }, other: { readonly path: string }): number => (one.path < other.path ? -1 : 1);

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
