import { describe, expect, it } from 'vitest';
import { fileSystemSkillProvider } from '../src/index.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

/** Frontmatters that are read alone and cost a YAML parser hundreds of times as much as real ones. */
const heavy: Readonly<Record<string, (name: string) => string>> = {
  lines: (name) => `name: ${name}\ndescription: d\nx: [\n${'a\n'.repeat(380)}]`,
  quotes: (name) => `name: ${name}\ndescription: d\ny: [a]\nx: ${'"'.repeat(390)}`,
  colons: (name) => `name: ${name}\ndescription: d\ny: [a]\n${Array.from({ length: 120 }, (_, index) => `k${index}: v`).join('\n')}`,
  brackets: (name) => `name: ${name}\ndescription: d\nx: ${'[{'.repeat(60)}${'}]'.repeat(60)}`,
  length: (name) => `name: ${name}\ndescription: d\ny: [a]\nx: [[${'word '.repeat(2_000)}`,
};

describe('SRC-1, FMT-7: a library of files that cost a parser much', () => {
  it.each(Object.entries(heavy))('parses 16 of them in one look at a root, and every other skill (%s) (ATK-422)', async (_, write) => {
    const hostile = Array.from({ length: 40 }, (__, index) => `h-${String(index).padStart(2, '0')}`);
    const folder = await temporaryFolder({
      ...Object.fromEntries(hostile.map((name) => [`market/${name}/SKILL.md`, `---\n${write(name)}\n---\n`])),
      'market/plain/SKILL.md': skillMd('plain'),
      'market/zz-flow/SKILL.md': '---\nname: zz-flow\ndescription: Needs the parser.\ntags: [a, b]\n---\n',
      'own/one-heavy/SKILL.md': `---\n${write('one-heavy')}\n---\n`,
    });
    const provider = fileSystemSkillProvider({ roots: [folder.at('market'), folder.at('own')] });
    for (let look = 0; look < 2; look += 1) {
      const { skills, diagnostics } = await provider.listSkills();
      const left = diagnostics.filter(({ code }) => code === 'frontmatter-too-complex').map(({ skill }) => skill);
      expect(left).toHaveLength(40 - 16);
      expect(hostile).toEqual(expect.arrayContaining(left));
      expect(skills.map(({ name }) => name)).toEqual(expect.arrayContaining(['one-heavy', 'plain', 'zz-flow']));
    }
    // Alone it is read.
    expect((await provider.getSkill('one-heavy'))?.name).toBe('one-heavy');
  });
});
