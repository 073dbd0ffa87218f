import { SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { digestOfSkill, sha256Hex } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { httpSkillProvider } from '../src/index.ts';
import { createSkillsHandler } from '../src/server.ts';

const source = (body: string, resources: Record<string, string>): SkillProvider =>
  new SkillRegistry({
    skills: [
      {
        name: 'haiku',
        description: 'Writes haiku.',
        body,
        resources,
        skillMd: `---\nname: haiku\ndescription: Writes haiku.\n---\n${body}\n`,
      },
    ],
  });

/** A site whose skills can be replaced, asked each time. */
function site(first: SkillProvider, url: string) {
  const served = { now: createSkillsHandler(first) };
  const provider = httpSkillProvider({ url, fetch: (request) => served.now(request), minFreshMs: 0, maxFreshMs: 0, retries: 0 });
  return { provider, replace: (next: SkillProvider) => void (served.now = createSkillsHandler(next)) };
}

const [auto, legacy] = ['https://skills.example', 'https://skills.example/.well-known/skills/index.json'];

describe('content of skills from the web', () => {
  it.each([
    ['one file', auto, {}, 'index'],
    ['an archive', auto, { 'references/forms.md': 'Forms.' }, 'download'],
    ['files without digests', legacy, { 'references/forms.md': 'Forms.' }, 'never'],
  ] as const)('PIN-6, SRC-4: of %s is known from the %s on', async (_what, url, resources, known) => {
    const { provider, replace } = site(source('Five.', resources), url);
    const before = await provider.contentOf?.('haiku');
    const skill = await provider.getSkill('haiku');
    const digest = known === 'never' ? undefined : (await digestOfSkill(provider, 'haiku'))?.digest;
    expect([before, skill?.content, await provider.contentOf?.('haiku')]).toEqual([known === 'index' ? digest : undefined, digest, digest]);
    expect(await provider.getSkill('haiku', { place: 'elsewhere' })).toBeNull();
    if (digest === undefined) return;
    expect((await provider.getSkill('haiku', { content: digest, place: 'haiku' }))?.body).toBe('Five.');
    replace(source('Seven.', resources));
    expect(await provider.getSkill('haiku', { content: digest })).toBeNull();
    expect(await provider.readResource('haiku', 'SKILL.md', { content: digest })).toBeNull();
    expect((await provider.getSkill('haiku'))?.content).not.toBe(digest);
  });

  it('SRC-4, PIN-6: for a content that is gone, the index is asked for once, and not at each call', async () => {
    const handler = createSkillsHandler(source('Seven.', {}));
    let asked = 0;
    const counting = async (request: Request) => {
      asked += 1;
      return await handler(request);
    };
    const provider = httpSkillProvider({ url: auto, fetch: (request) => counting(request), minFreshMs: 60_000, retries: 0 });
    await provider.listSkills();
    const content = 'f'.repeat(64);
    expect(await provider.getSkill('haiku', { content })).toBeNull();
    const after = asked;
    for (let call = 0; call < 5; call += 1) {
      expect(await provider.getSkill('haiku', { content })).toBeNull();
      expect(await provider.readResource('haiku', 'SKILL.md', { content })).toBeNull();
    }
    expect(asked).toBe(after);
  });

  it('SRC-4: a file is read by its digest, or not at all', async () => {
    const { provider } = site(source('Five.', { 'references/forms.md': 'Forms.' }), auto);
    const digest = await sha256Hex('Forms.');
    expect(await provider.readResource('haiku', 'references/forms.md', { digest, maxBytes: 2 })).toMatchObject({
      size: 6,
      digest,
      bytes: new TextEncoder().encode('Fo'),
    });
    expect(await provider.readResource('haiku', 'references/forms.md', { digest: await sha256Hex('x') })).toBeNull();
  });
});
