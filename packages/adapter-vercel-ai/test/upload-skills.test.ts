import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createSkillset, SkillRegistry } from '@repertoire/skills-core';
import type { ProviderReference } from 'ai';
import { describe, expect, it } from 'vitest';
import { uploadSkills } from '@repertoire/adapter-vercel-ai/upload';
import { skills as definitions } from './billing-skills.ts';
import { recordingServer } from './recording-server.ts';

const provider = new SkillRegistry({ skills: definitions });

async function apis() {
  const server = await recordingServer((request, index) => {
    if (request.path.includes('/versions/')) return { type: 'skill_version', skill_id: 's', name: 'n', description: 'd' };
    const isAnthropic = request.headers['anthropic-beta'] !== undefined;
    return {
      id: `skill-${index}`,
      source: 'custom',
      ...(isAnthropic ? { created_at: '1', updated_at: '1' } : { created_at: 1, updated_at: 1 }),
    };
  });
  const anthropic = createAnthropic({ apiKey: 'none', baseURL: server.url });
  const openai = createOpenAI({ apiKey: 'none', baseURL: server.url });
  return { requests: server.requests, apis: { anthropic, openai } };
}

describe('uploadSkills', () => {
  it('ADP-4: uploads each skill once to each provider, with its files in a folder of its name, and tells which took which', async () => {
    const { requests, apis: targets } = await apis();
    const { uploads, referencesFor } = await uploadSkills(provider, { apis: targets });
    expect(uploads.map(({ skill, provider: name, status }) => [skill, name, status])).toEqual([
      ['billing', 'anthropic', 'uploaded'],
      ['billing', 'openai', 'uploaded'],
      ['haiku', 'anthropic', 'uploaded'],
      ['haiku', 'openai', 'uploaded'],
    ]);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(4).fill('POST /skills'));
    const files = (text: string) => Array.from(text.matchAll(/filename="([^"]+)"/g), ([, name]) => name);
    expect(files(requests[0]!.text)).toEqual(['billing/SKILL.md', 'billing/references/policy.md']);
    expect(requests[0]!.text).toContain('name: billing\n');
    expect(requests[0]!.text).toContain('Confirm the order, then call process_refund.');
    expect(requests[0]!.text).toContain('Refund at most 100 without a manager.');
    expect(referencesFor('anthropic')).toEqual({ billing: { anthropic: 'skill-0' }, haiku: { anthropic: 'skill-2' } });
    expect(referencesFor('openai')['haiku']).toEqual({ openai: 'skill-3' });
  });

  it('ADP-4: refuses a request with more than the 8 skills that Anthropic takes, before it is made', async () => {
    const { requests, apis: targets } = await apis();
    const names = Array.from({ length: 9 }, (_, index) => `skill-${index}`);
    const many = new SkillRegistry({ skills: names.map((name) => ({ name, description: `Does ${name}.`, body: 'Do it.' })) });
    const { referencesFor } = await uploadSkills(many, { apis: targets });
    expect(requests).toHaveLength(18);
    expect(() => referencesFor('anthropic')).toThrow('at most 8 skills in one request, and 9 were uploaded');
    expect(Object.keys(referencesFor('anthropic', names.slice(1)))).toEqual(names.slice(1));
    expect(Object.keys(referencesFor('openai'))).toHaveLength(9);
    expect(requests).toHaveLength(18);
  });

  it('ADP-4: keeps what was uploaded before, by its digest; an edit is uploaded anew', async () => {
    const { requests, apis: targets } = await apis();
    const uploaded = new Map<string, ProviderReference>();
    const first = await uploadSkills(provider, { apis: targets, uploaded });
    const again = await uploadSkills(provider, {
      apis: targets,
      uploaded: new Map(JSON.parse(JSON.stringify([...uploaded])) as [string, ProviderReference][]),
    });
    expect(again.uploads.map(({ status }) => status)).toEqual(Array(4).fill('kept'));
    expect(again.referencesFor('openai')).toEqual(first.referencesFor('openai'));
    expect(requests).toHaveLength(4);
    expect([...uploaded.keys()]).toEqual(first.uploads.map(({ provider: name, digest }) => `${name}:${digest}`));

    const [billing, haiku] = definitions;
    const edited = new SkillRegistry({ skills: [billing!, { ...haiku!, body: 'Seven, five, seven.' }] });
    const after = await uploadSkills(edited, { apis: targets, uploaded });
    expect(after.uploads.map(({ status }) => status)).toEqual(['kept', 'kept', 'uploaded', 'uploaded']);
  });

  it('ADP-4: one that fails keeps none of the others back, and a provider without skills says so', async () => {
    const failing = await recordingServer((request, _index, response) => {
      if (request.text.includes('billing/SKILL.md'))
        return void response.writeHead(400).end('{"error":{"message":"too large","type":"x"}}');
      return { id: 'skill', source: 'custom', created_at: '1', updated_at: '1' };
    });
    const anthropic = createAnthropic({ apiKey: 'none', baseURL: failing.url });
    const none = { specificationVersion: 'v4' } as unknown as typeof anthropic;
    const { uploads, referencesFor } = await uploadSkills(provider, { apis: { anthropic, none } });
    expect(uploads.map(({ status }) => status)).toEqual(['failed', 'unsupported', 'uploaded', 'unsupported']);
    expect(uploads[0]!.error).toMatchObject({ statusCode: 400 });
    expect(Object.keys(referencesFor('anthropic'))).toEqual(['haiku']);
  });

  it('GOV-6: uploads nothing of an untrusted source unless the host selects it; takes a catalog; stops at an abort', async () => {
    const { requests, apis: targets } = await apis();
    const untrusted = new SkillRegistry({ skills: definitions, trusted: false });
    expect((await uploadSkills(untrusted, { apis: targets })).uploads).toEqual([]);
    const skillset = createSkillset({ provider: untrusted, audience: { select: ({ name }) => name === 'haiku' } });
    const { uploads } = await uploadSkills(
      { provider: skillset.provider, session: await skillset.open() },
      { apis: { openai: targets.openai }, select: () => true },
    );
    expect(uploads.map(({ skill }) => skill)).toEqual(['haiku']);
    const reason = new Error('enough');
    await expect(uploadSkills(provider, { apis: targets, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests).toHaveLength(1);
  });
});
