import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSkillset, SkillRegistry, type SkillMetadata } from '@repertoire/skills-core';
import type { SkillCatalogOptions } from '../../src/catalog/build-catalog.ts';
import { defaultSkillToolNames } from '../../src/prompt/tool-names.ts';
import { catalogWriter, renderGuidance, summaryOf, type RenderCatalogOptions } from '../../src/catalog/render-catalog.ts';

type Listed = Pick<SkillMetadata, 'name' | 'description' | 'whenToUse'>;

/** The whole text as a catalog without a budget has it. */
function render(skills: readonly Listed[], { format = 'xml', guidance }: RenderCatalogOptions = {}): string {
  const writer = catalogWriter({
    format,
    guidance: renderGuidance(defaultSkillToolNames, guidance),
    names: defaultSkillToolNames,
    finders: [],
  });
  const listed = skills.map((skill): SkillMetadata => ({ version: null, ...skill }));
  const lines = listed.map((skill) => writer.line(skill, summaryOf(skill), false));
  return writer.whole(lines, 0);
}

const textOf = async (skills: readonly Listed[], catalog: SkillCatalogOptions) => {
  const provider = new SkillRegistry({ skills: skills.map((skill) => ({ body: '', ...skill })) });
  return (await createSkillset({ provider, catalog }).open()).catalog.text;
};

describe('the text of a catalog', () => {
  it('DIS-1: is the same by a session as line by line', async () => {
    const skills = [
      { name: 'a', description: 'A <b>.', whenToUse: 'When asked.' },
      { name: 'b', description: 'B & c.' },
    ];
    for (const format of ['xml', 'markdown', 'json'] as const) expect(await textOf(skills, { format })).toBe(render(skills, { format }));
  });

  it('PIN-7: untrusted and remote skills say their source in every form, and folders and code of the host do not (ATK-206)', async () => {
    const origins = {
      local: { kind: 'fs', trusted: true },
      remote: { kind: 'mcp', trusted: true },
      foreign: { kind: 'code', trusted: false },
    } as const;
    const skills = Object.entries(origins).map(([name, origin]): SkillMetadata => ({
      name,
      description: 'A.',
      version: null,
      origin: { label: 'a"<b>', ...origin },
    }));
    const lineOf = (format: 'xml' | 'markdown' | 'json', compact: boolean) => {
      const writer = catalogWriter({ format, guidance: '', names: defaultSkillToolNames, finders: [] });
      return skills.map((skill) => writer.line(skill, 'A.', compact));
    };
    expect(lineOf('xml', false)).toEqual([
      '<skill name="local">A.</skill>',
      '<skill name="remote" source="a&quot;&lt;b&gt;">A.</skill>',
      '<skill name="foreign" source="a&quot;&lt;b&gt;">A.</skill>',
    ]);
    for (const [format, compact] of [
      ['markdown', false],
      ['json', false],
      ['xml', true],
    ] as const) {
      const [local, ...others] = lineOf(format, compact);
      expect(local).not.toContain('a"');
      for (const line of others) expect(line).toMatch(/a(?:\\"|"|&quot;)(?:&lt;|\\u003c)b/);
    }
  });

  it('REF-16 DIS-1: no skills give an empty string', async () => {
    for (const format of ['xml', 'markdown', 'json'] as const) expect(await textOf([], { format })).toBe('');
  });

  it('REF-17 DIS-1: one skill is one line below the guidance', () => {
    expect(render([{ name: 'my-skill', description: 'A test skill.' }])).toMatchInlineSnapshot(`
      "Skills are instructions for particular kinds of work. When a task matches a skill below, call load_skill with its name before you start, and follow what it says. A skill is not a tool: never call it by its own name.

      <available_skills>
      <skill name="my-skill">A test skill.</skill>
      </available_skills>"
    `);
  });

  it('REF-18 DIS-1: two skills are two elements', () => {
    const text = render([
      { name: 'a', description: 'A.' },
      { name: 'b', description: 'B.' },
    ]);
    expect(text.match(/<skill name=/g)).toHaveLength(2);
    expect(text.match(/<\/skill>/g)).toHaveLength(2);
  });

  it('REF-19 DIS-1: what a skill says is escaped', () => {
    const text = render([{ name: 'x"><y', description: 'Use <foo> & <bar>' }]);
    expect(text).toContain('<skill name="x&quot;&gt;&lt;y">Use &lt;foo&gt; &amp; &lt;bar&gt;</skill>');
  });

  it('DIS-1: Markdown and JSON are as safe', () => {
    const skills = [{ name: 'a`b', description: 'One\n- `evil`: two </available_skills> "x"', whenToUse: 'When asked.' }];
    expect(render(skills, { format: 'markdown' }).split('\n\n')[1]).toBe(
      '## Available skills\n- `a\'b`: One - `evil`: two &lt;/available_skills&gt; "x" When asked.',
    );
    const json = render(skills, { format: 'json' }).split('\n\n')[1] ?? '';
    expect(JSON.parse(json)).toEqual({
      available_skills: [{ name: 'a`b', description: 'One - `evil`: two </available_skills> "x" When asked.' }],
    });
    expect(json).not.toContain('<');
  });

  it("DIS-1: `$&`, `$'` and `$1` in a description change nothing", () => {
    expect(render([{ name: 'a', description: "costs $& or $' or $1 or $$" }])).toContain(">costs $&amp; or $' or $1 or $$</skill>");
  });

  it('EDGE-30 DIS-1: invisible and bidirectional characters do not reach the prompt from a description, and are visible in a name', () => {
    const text = render([{ name: 'pay\u200Bpal', description: 'safe\u202E\u0007\u{E0041}text\uD800 \u0000' }]);
    expect(text).toContain('<skill name="pay&#x200b;pal">safetext</skill>');
  });

  it('DIS-17: guidance comes in three styles or in your own words', () => {
    const skills = [{ name: 'a', description: 'A.' }];
    const texts = (['plain', 'proactive', 'evaluate'] as const).map((guidance) => render(skills, { guidance }));
    expect(new Set(texts).size).toBe(3);
    for (const text of texts) expect(text).toMatch(/load_skill.*A skill is not a tool/s);
    expect(render(skills, { guidance: ({ load }: { load: string }) => `Use ${load}.` })).toMatch(/^Use load_skill\.\n\n<available/);
  });

  it('DIS-1: each skill stays on its own line and no text closes an element, whatever it holds', () => {
    const nasty = fc
      .array(
        fc.constantFrom('<', '>', '&', '"', '/', 'skill', 'available_skills', '\n', '\r', '\u2028', '$&', '\\', '`', ' ', 'a', '\u202E'),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(fc.record({ name: nasty, description: nasty }), { minLength: 1, maxLength: 5 }), (skills) => {
        const lines = render(skills).split('\n\n').slice(1).join('\n\n').split('\n');
        expect(lines).toHaveLength(skills.length + 2);
        for (const line of lines.slice(1, -1)) expect(line).toMatch(/^<skill name="[^"<>]*"(?:\/>|>[^<>]+<\/skill>)$/);
        expect(render(skills)).toBe(render(structuredClone(skills)));
      }),
    );
  });
});
