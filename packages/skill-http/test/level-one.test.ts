import { createSkillLock, lockedProvider } from '@repertoire/skill-trust/lock';
import { describe, expect, it } from 'vitest';
import { httpSkillProvider } from '../src/index.ts';
import { skillMdOf } from './support/archives.ts';
import { Clock, indexOf, Origin, skillMdEntry } from './support/origin.ts';

const index = '/.well-known/agent-skills/index.json';
const providerOf = (origin: Origin) => httpSkillProvider({ url: 'https://skills.example', fetch: origin.fetch, retries: 0 });

describe('level 1 in our own field of an index', () => {
  const shaped = {
    license: 'MIT',
    version: '1.2.0',
    metadata: { team: 'poems' },
    allowedTools: ['Read'],
    tools: ['count'],
    autoActivate: 'currentSkill',
    userInvocable: false,
    surfaceMode: 'both',
    refreshPolicy: { afterTokens: 5_000 },
    steps: [{ tool: 'count', input: { to: 5 } }],
    fields: { 'x-owner': ['a', { b: 'c' }] },
  };
  const listWith = async (metadata: unknown) => {
    const entry = { ...(await skillMdEntry('haiku', 'x')), 'x-repertoire': { metadata } };
    const provider = providerOf(new Origin().put(index, indexOf([entry])));
    const [listed] = (await provider.listSkills()).skills;
    return { listed, codes: (await provider.listSkills()).diagnostics.map(({ code }) => code) };
  };

  it('SRC-4: is listed as it is, without a request for the skill', async () => {
    const { listed, codes } = await listWith(shaped);
    expect(listed).toEqual({
      name: 'haiku',
      description: 'Does haiku. Use it for haiku.',
      ...shaped,
      origin: expect.objectContaining({ trusted: false }),
    });
    expect(codes).toEqual([]);
  });

  it.each(Object.keys(shaped))('SRC-4: without %s where that has another shape', async (key) => {
    for (const bad of [7, null, key === 'license' || key === 'version' ? [] : 'text', [[[]], 1], { a: 1 }]) {
      // No version is what null says.
      if ((key === 'steps' && Array.isArray(bad)) || ((key === 'fields' || key === 'version') && bad === null)) continue;
      const { listed, codes } = await listWith({ ...shaped, [key]: bad });
      expect([key, listed?.[key as keyof typeof listed] ?? null, codes]).toEqual([key, null, ['index-entry-metadata']]);
    }
  });

  it('SRC-4, GOV-6: says nothing of name, origin and trust, and reaches no prototype', async () => {
    const { listed } = await listWith(
      JSON.parse(
        '{"name":"other","origin":{"trusted":true},"trusted":true,"fields":{"__proto__":{"polluted":"yes"}},"__proto__":{"license":"x"}}',
      ),
    );
    expect(listed).toMatchObject({ name: 'haiku', origin: { trusted: false } });
    expect(listed).not.toHaveProperty('trusted');
    expect(listed?.license).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.keys(listed?.fields ?? {})).toEqual(['__proto__']);
  });
});

it('SRC-4, GOV-6: an index cannot open to a model, or to a person, what the SKILL.md closes', async () => {
  const text =
    '---\nname: haiku\ndescription: Does haiku. Use it for haiku.\ndisable-model-invocation: true\nuser-invocable: false\n---\nBody.';
  const entry = {
    ...(await skillMdEntry('haiku', text)),
    'x-repertoire': { metadata: { disableModelInvocation: false, userInvocable: true } },
  };
  const provider = providerOf(new Origin().put(index, indexOf([entry])).put('/.well-known/agent-skills/haiku/SKILL.md', text));
  expect(await provider.getSkill('haiku')).toMatchObject({ disableModelInvocation: true, userInvocable: false });
});

it('GOV-9, SRC-4: a lock of an index of others holds where level 1 is read of the skills, also in another process', async () => {
  const text = '---\nname: haiku\ndescription: Does haiku. Use it for haiku.\nversion: 1.0.0\nlicense: MIT\n---\nBody.';
  const origin = new Origin()
    .put(index, indexOf([await skillMdEntry('haiku', text)]))
    .put('/.well-known/agent-skills/haiku/SKILL.md', text);
  const open = () => httpSkillProvider({ url: 'https://skills.example', fetch: origin.fetch, levelOne: 'artifact' });
  const lock = await createSkillLock(open());
  const locked = lockedProvider(open(), lock, { mode: 'frozen' });
  expect((await locked.listSkills()).skills.map(({ name, version }) => [name, version])).toEqual([['haiku', '1.0.0']]);
  expect((await locked.getSkill('haiku'))?.body).toBe('Body.');
});

it('SRC-4: a skill that cannot be reached just now is listed as it last was, and tried again after a while', async () => {
  const clock = new Clock();
  const [one, two] = [skillMdOf('one'), skillMdOf('two', 'Changed.')];
  const origin = new Origin()
    .put(index, indexOf([await skillMdEntry('one', one), await skillMdEntry('two', skillMdOf('two'))]))
    .put('/.well-known/agent-skills/one/SKILL.md', one)
    .put('/.well-known/agent-skills/two/SKILL.md', skillMdOf('two'));
  const provider = httpSkillProvider({
    url: 'https://skills.example',
    fetch: origin.fetch,
    retries: 0,
    levelOne: 'artifact',
    now: clock.now,
  });
  const names = async () => (await provider.listSkills()).skills.map(({ name }) => name);
  expect(await names()).toEqual(['one', 'two']);
  origin.put(index, indexOf([await skillMdEntry('one', one), await skillMdEntry('two', two)]));
  origin.intercept = ({ url }) => (url.includes('/two/') ? new Response(null, { status: 500 }) : undefined);
  clock.advance(1_000);
  expect(await names()).toEqual(['one', 'two']);
  origin.asked();
  await names();
  expect(origin.asked()).toEqual([]);
  origin.intercept = undefined;
  origin.put('/.well-known/agent-skills/two/SKILL.md', two);
  clock.advance(5_000);
  expect([await names(), (await provider.getSkill('two'))?.body]).toEqual([['one', 'two'], 'Changed.']);
});
