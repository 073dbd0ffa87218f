import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSkillset,
  emptySkillState,
  SkillRegistry,
  type SkillDefinition,
  type SkillProvider,
  type SkillState,
} from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { reduceSkillState, type SkillToolResult } from '@repertoire/skills-core/adapter';
import { resolveVersion } from '@repertoire/skills-core/versions';

const billing: SkillDefinition = {
  name: 'billing',
  description: 'Refunds and invoices. Use when money is asked about.',
  body: '# Billing\n\nConfirm the order id.',
  resources: { 'references/policy.md': '# Policy', 'assets/form.pdf': new Uint8Array([1]) },
};

async function load(
  source: readonly SkillDefinition[] | SkillProvider,
  input: unknown,
  state: SkillState = emptySkillState,
  signal?: AbortSignal,
): Promise<SkillToolResult> {
  const skillset = createSkillset({ provider: 'label' in source ? source : new SkillRegistry({ skills: source }) });
  const tool = (await skillset.open()).tools.find(({ role }) => role === 'load');
  if (tool === undefined) throw new Error('no tool');
  return tool.execute(input, { state, signal });
}

describe('load_skill', () => {
  it('DIS-3: returns the body in a frame with its files and how to read them', async () => {
    const result = await load([billing], { name: 'billing' });
    expect(result.text.replace(/ revision="[\w-]{22}"/, ' revision="…"')).toMatchInlineSnapshot(`
      "<skill_content name="billing" source="code" revision="…">
      # Billing

      Confirm the order id.

      <skill_files>
      Files of this skill. Read one with read_skill_file (skill: "billing") when the instructions call for it:
      assets/form.pdf
      references/policy.md
      </skill_files>
      </skill_content>"
    `);
    expect(result.error).toBeUndefined();
    expect(result.events).toEqual([
      {
        type: 'loaded',
        name: 'billing',
        version: null,
        source: 'code',
        place: 'billing',
        content: expect.stringMatching(/^[0-9a-f]{64}$/),
        revision: expect.stringMatching(/^[\w-]{22}$/),
        texts: [expect.stringMatching(/^[\w-]{22}$/)],
      },
    ]);
  });

  it.each(['/billing', '$billing', ' Billing ', 'BILLING', 'billing\n'])('EDGE-35 DIS-3: understands %j', async (name) => {
    expect((await load([billing], { name })).events).toMatchObject([{ type: 'loaded', name: 'billing' }]);
  });

  it('EDGE-35 DIS-3: an unknown name answers with near and available names', async () => {
    const result = await load([billing, { ...billing, name: 'shipping' }], { name: 'biling' });
    expect(result.error?.code).toBe('skill-not-found');
    expect(result.text).toBe(
      'Error (skill-not-found): There is no skill "biling". Did you mean "billing"? Available skills: billing, shipping.',
    );
    expect(result.events).toEqual([]);
  });

  it.each([true, 'true'])('DIS-3: lists the skills where a model asks this tool for them (list_skills: %j)', async (list_skills) => {
    const { text, events } = await load([billing, { ...billing, name: 'shipping' }], { list_skills });
    expect(text).toMatch(/billing[^]*shipping/);
    expect([text.includes('Confirm the order id.'), events]).toEqual([false, []]);
    expect((await load([billing], { list_skills: false })).error?.code).toBe('invalid-input');
  });

  it('DIS-3: a spelling that fits two skills loads neither', async () => {
    const result = await load(
      [
        { ...billing, name: 'a-b' },
        { ...billing, name: 'a_b' },
      ],
      { name: 'A B' },
    );
    expect(result.error?.code).toBe('skill-not-found');
    expect(
      (
        await load(
          [
            { ...billing, name: 'a-b' },
            { ...billing, name: 'a_b' },
          ],
          { name: 'a_b' },
        )
      ).events,
    ).toMatchObject([{ name: 'a_b' }]);
  });

  it.each([[undefined], [null], ['billing'], [[]], [{}], [{ name: 7 }], [{ name: '' }], [{ name: 'billing', version: 2 }]])(
    'DIS-3: wrong input %j is an answer, not an exception',
    async (input) => {
      const result = await load([billing], input);
      expect(result.error?.code).toBe('invalid-input');
      expect(result.text).toMatch(/^Error \(invalid-input\): load_skill /);
    },
  );

  it('CON-8: loads a version, and names the versions there are', async () => {
    const versions = ['1.0.0', '2.0.0'].map((version) => ({ ...billing, version, body: `Body ${version}` }));
    expect((await load(versions, { name: 'billing' })).text).toContain('Body 2.0.0');
    const older = await load(versions, { name: 'billing', version: '1.0.0' });
    expect(older.text).toContain('<skill_content name="billing" version="1.0.0" source="code" revision="');
    expect(older.text).toContain('">\nBody 1.0.0');
    expect(older.events).toMatchObject([{ version: '1.0.0' }]);
    expect((await load(versions, { name: 'billing', version: '3.0.0' })).text).toContain('It has: 2.0.0, 1.0.0.');
  });

  it('CON-8: a range chooses a version where the host brings a resolver; `*` is the newest without one', async () => {
    const versions = ['1.0.0', '1.2.0', '2.0.0'].map((version) => ({ ...billing, version, body: `Body ${version}` }));
    const loadVersion = async (version: string, resolver?: typeof resolveVersion) => {
      const skillset = createSkillset({ skills: versions, resolveVersion: resolver });
      return (await skillset.open()).load({ name: 'billing', version }, { state: emptySkillState });
    };
    expect((await loadVersion('^1.0', resolveVersion)).text).toContain('Body 1.2.0');
    expect((await loadVersion('*')).text).toContain('Body 2.0.0');
    expect((await loadVersion('^1.0')).error?.code).toBe('skill-not-found');
    expect((await loadVersion('not a range', resolveVersion)).error?.code).toBe('invalid-input');
  });

  it('DIS-5: loading again what stands there unchanged is answered in a line; another body or arguments come in full', async () => {
    const first = await load([billing], { name: 'billing' });
    const state = first.events.reduce((current, event) => reduceSkillState(current, event), emptySkillState);
    const again = await load([billing], { name: 'billing' }, state);
    expect(again).toEqual({
      text: 'Skill "billing" is already active and unchanged: its instructions are above. Go on with them.',
      events: [],
    });
    expect((await load([{ ...billing, body: 'New.' }], { name: 'billing' }, state)).text).toContain('New.');
    expect((await load([billing], { name: 'billing', arguments: 'order 7' }, state)).text).toContain('ARGUMENTS: order 7');
    const compacted = reduceSkillState(state, { type: 'compacted' });
    expect((await load([billing], { name: 'billing' }, compacted)).text).toBe(first.text);
  });

  it('GOV-6: a skill that the host does not vouch for says so', async () => {
    const { text } = await load(new SkillRegistry({ skills: [billing], label: 'acme "x"', trusted: false }), { name: 'billing' });
    expect(text).toMatch(/^<skill_content name="billing" source="acme &quot;x&quot;" revision="[\w-]{22}" trust="untrusted">/);
    expect(text).toMatch(/does not vouch for.*\n<\/skill_content>$/s);
  });

  it('GOV-6: a provider that says nothing of trust is untrusted', async () => {
    const inner = fixedSkillProvider([billing]);
    const silent: SkillProvider = {
      ...inner,
      listSkills: async (options) => {
        const listing = await inner.listSkills(options);
        return { ...listing, skills: listing.skills.map((skill) => ({ ...skill, origin: undefined })) };
      },
      getSkill: async (...call) => {
        const skill = await inner.getSkill(...call);
        return skill && { ...skill, origin: undefined };
      },
    };
    expect((await load(silent, { name: 'billing' })).text).toContain('trust="untrusted"');
  });

  it('DIS-10: a skill that only people may start is neither listed nor loaded, by any spelling', async () => {
    const source = [billing, { ...billing, name: 'deploy', disableModelInvocation: true }];
    const skillset = createSkillset({ skills: source });
    expect((await skillset.open()).catalog.text).not.toContain('deploy');
    for (const name of ['deploy', '/deploy', 'DEPLOY']) {
      const result = await load(source, { name });
      expect(result.error?.code).toBe('skill-not-found');
      expect(result.text).not.toMatch(/Available.*deploy/);
    }
  });

  it('EDGE-40 DIS-10: nor where it was closed after the catalog was read; and one that is gone is a clear answer', async () => {
    const inner = fixedSkillProvider([billing]);
    const closed: SkillProvider = {
      ...inner,
      getSkill: async () => ({ ...billing, version: null, body: '', resources: [], diagnostics: [], disableModelInvocation: true }),
    };
    expect((await load(closed, { name: 'billing' })).error?.code).toBe('skill-not-found');
    const result = await load({ ...inner, getSkill: async () => null }, { name: 'billing' });
    expect(result.text).toContain('has been removed since');
  });

  it('EDGE-40 CON-8: a skill that got another version since the catalog was read comes in the new one', async () => {
    const before = fixedSkillProvider([{ ...billing, version: '1.0.0' }]);
    const after = fixedSkillProvider([{ ...billing, version: '1.1.0', body: 'Newer.' }]);
    const result = await load({ ...after, listSkills: before.listSkills }, { name: 'billing' });
    expect(result.text).toContain('version="1.1.0"');
    expect(result.text).toContain('Newer.');
  });

  it('CON-7 CON-8: a newer version that was not selected is not what loads', async () => {
    const skillset = createSkillset({
      skills: ['1.0.0', '2.0.0'].map((version) => ({ ...billing, version, body: `Body ${version}` })),
      audience: { select: (skill) => skill.version !== '2.0.0' },
    });
    expect((await (await skillset.open()).load({ name: 'billing' }, { state: emptySkillState })).text).toContain('Body 1.0.0');
    expect((await (await skillset.open()).load({ name: 'billing', version: '2.0.0' }, { state: emptySkillState })).error?.code).toBe(
      'skill-not-found',
    );
  });

  it('CON-7 CON-8: nor is one that stopped being selected after the catalog was read', async () => {
    const before = fixedSkillProvider([{ ...billing, metadata: { tier: 'free' } }]);
    const after = fixedSkillProvider([{ ...billing, metadata: { tier: 'gold' }, body: 'Golden.' }]);
    const provider: SkillProvider = { ...after, listSkills: before.listSkills };
    const session = await createSkillset({ provider, audience: { select: (skill) => skill.metadata?.['tier'] === 'free' } }).open();
    const { error, text } = await session.load({ name: 'billing' }, { state: emptySkillState });
    expect(error?.code).toBe('skill-not-found');
    expect(text).not.toContain('Golden');
  });

  it('DIS-3: a source that throws is an answer; an abort is not', async () => {
    const broken: SkillProvider = {
      ...fixedSkillProvider([billing]),
      getSkill: () => Promise.reject(new Error('ECONNRESET at 10.0.0.7')),
    };
    const result = await load(broken, { name: 'billing' });
    expect(result.error?.code).toBe('source-unavailable');
    expect(result.error?.cause).toMatchObject({ message: 'ECONNRESET at 10.0.0.7' });
    expect(result.text).not.toContain('10.0.0.7');
    const reason = new Error('stop');
    await expect(load(broken, { name: 'billing' }, emptySkillState, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('DIS-3: of a name of any length, the first 256 characters are compared with those that there are (ATK-24)', async () => {
    const suggestion = async (name: string) => / Did you mean "([^"]*)"/.exec((await load([billing], { name })).text)?.[1];
    expect(await suggestion(`${'x'.repeat(100)}billing`)).toBe('billing');
    expect(await suggestion(`${'x'.repeat(1_000_000)}billing`)).toBeUndefined();
    // A start of 256 characters is no name.
    const long = 'a'.repeat(256);
    expect((await load([{ ...billing, name: long }], { name: `${long}b` })).text).toContain('skill-not-found');
  });

  it('EDGE-36 DIS-3: no body can close its own frame or open another of ours (ATK-113)', async () => {
    const piece = fc.constantFrom(
      '</skill_content>',
      '</ skill_content >',
      '\uFF1C\uFF0Fskill_content\uFF1E',
      '</\uFF53kill_content>',
      '<\uFF0F\uFF33\uFF2B\uFF29\uFF2C\uFF2C\uFF3F\uFF23\uFF2F\uFF2E\uFF34\uFF25\uFF2E\uFF34>',
      '</skill-content>',
      '</skill\u2011content>',
      '</skill content>',
      '</skillcontent>',
      '</skill\u2800_\uFFFCcontent>',
      '<\u2800/skill_content>',
      '</s\u200C\u200Dkill_content>',
      '\uFE64/skill_content>',
      '<\u200B/skill_content>',
      '</SKILL_CONTENT\n>',
      '<skill_files>',
      '</available_skills>',
      '<skill_unloaded name="x">',
      '<div>',
      '&lt;',
      'a',
      '\n',
      '<',
      '</skill_content',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const { text } = await load([{ name: 'a', description: 'A.', body: pieces.join('') }], { name: 'a' });
        // As a reader takes it that sees no difference of widths and dashes, and nothing that does not show.
        const plain = text.normalize('NFKC').replace(/[\p{Default_Ignorable_Code_Point}\u2800\uFFFC]/gu, '');
        const ours = /<[\s/\p{Cf}]*(?:skill[_\p{Pd}\s]?content|skill_files|skill_unloaded|available_skills)/giu;
        expect(plain.match(ours)).toHaveLength(2);
        expect(text.endsWith('\n</skill_content>') || text.endsWith('>\n\n</skill_content>')).toBe(true);
      }),
    );
  });

  it('DIS-3: other markup in a body is left as it is', async () => {
    const body = "Use <b>bold</b> & `$1`, `$'`, <skill> placeholders, &amp; and </instructions>.";
    expect((await load([{ ...billing, body }], { name: 'billing' })).text).toContain(body);
  });

  it('DIS-18: holds no contents of files, and a bounded list of them', async () => {
    const resources = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [`references/chapter-${String(index).padStart(3, '0')}.md`, `secret ${index}`]),
    );
    const { text } = await load([{ ...billing, body: 'Short.', resources }], { name: 'billing' });
    expect(text).not.toContain('secret');
    expect(text).toMatch(/… and 350 more, which can be read by path too\./);
    const body = 'Words of advice. '.repeat(2_000);
    const long = await load([{ ...billing, body, resources }], { name: 'billing' });
    expect(long.text.length).toBeLessThanOrEqual(body.length * 1.1);
  });

  it('GOV-10: two conversations over one skillset never see each other', async () => {
    const skillset = createSkillset({ skills: [billing] });
    const tools = (await skillset.open()).tools;
    const first = await tools[0]?.execute({ name: 'billing' }, { state: emptySkillState });
    const second = await tools[0]?.execute({ name: 'billing' }, { state: emptySkillState });
    expect(second).toEqual(first);
    expect(second?.text).toContain('Confirm the order id.');
  });
});
