import { parsePlainSkillMd } from '@repertoire/skills-core/internal';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { describe, expect, it } from 'vitest';
import { filesOfOthers, frontmatterOfOthers, openAiSettings } from '../src/frontmatter-of-others.ts';

describe('frontmatter in the forms of libraries that nobody tuned on', () => {
  it('FMT-1: loads, and at most 3 of 100 need the YAML parser', () => {
    const files = Array.from(
      { length: 1_000 },
      (_, index) => `---\n${frontmatterOfOthers(`skill-${index}`, "Plans a team's week. Use when asked.", index)}---\n`,
    );
    expect(new Set(files.map((file) => file.replaceAll(/\d/g, ''))).size).toBeGreaterThan(100);
    const names = files.map((file) => parseSkillMd(file).metadata?.name);
    expect(names).toEqual(files.map((_, index) => `skill-${index}`));
    const byParser = files.filter((file) => parsePlainSkillMd(file) === null);
    expect(byParser.length).toBeGreaterThan(0);
    expect(byParser.length).toBeLessThan(30);
  });

  it('FMT-1: lies beside the files that sources look at, whose settings need no YAML parser', () => {
    const files = Array.from({ length: 1_000 }, (_, index) => Object.keys(filesOfOthers(`skill-${index}`, index)));
    const countOf = (file: string) => files.filter((own) => own.includes(file)).length;
    expect(['agents/openai.yaml', 'skill-card.json', 'plugin.json'].map(countOf)).toEqual([106, 10, 5]);
    expect(parsePlainSkillMd(`---\nname: x\ndescription: Settings\n${openAiSettings('x')}---\n`)?.metadata?.fields).toHaveProperty(
      'policy',
    );
  });
});
