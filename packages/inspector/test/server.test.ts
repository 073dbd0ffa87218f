import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { createSkillLock } from '@repertoire/skill-trust/lock';
import type { SkillProvider } from '@repertoire/skills-core';
import { keySigner, signSkill } from '@repertoire/skill-trust';
import { readSkillFolder } from '@repertoire/skill-trust/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inspectorReport, startInspector, type InspectorOptions } from '@repertoire/inspector';
import type { LibraryView, SkillView } from '../src/library/views.ts';
import { createApp, type AppOptions } from '../src/server/create-app.ts';
import { exampleSkills } from './support/library.ts';
import { recordedConversation } from './support/conversation.ts';

interface Open {
  readonly url: string;
  readonly origin: string;
  readonly place: string;
  readonly cookie: string;
  get(path: string, init?: RequestInit): Promise<Response>;
  json<Value>(path: string, init?: RequestInit): Promise<Value>;
}

/** An inspector, and a client that went through its door. */
async function inspecting(options: Partial<InspectorOptions> = {}): Promise<Open> {
  const inspector = await startInspector({ provider: exampleSkills(), ...options });
  onTestFinished(async () => await inspector[Symbol.asyncDispose]());
  const { origin } = new URL(inspector.url);
  const entered = await fetch(inspector.url, { redirect: 'manual' });
  const place = (entered.headers.get('location') ?? '/').replace(/\/$/, '');
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const get = async (path: string, init: RequestInit = {}) =>
    await fetch(origin + place + path, { ...init, headers: { cookie, ...init.headers } });
  return { url: inspector.url, origin, place, cookie, get, json: async (path, init) => (await (await get(path, init)).json()) as never };
}

/** A status, with headers that `fetch` does not send. */
async function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  const [response] = (await once(httpRequest(url, { headers }).end(), 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

async function temporarySkill(body = 'Do it.'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'inspector-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'one'));
  await writeFile(join(folder, 'one/SKILL.md'), `---\nname: one\ndescription: Does one thing.\n---\n${body}\n`);
  return folder;
}

describe('the door of the inspector', () => {
  it('AUT-3: lets in who has the token, by a cookie that no script reads, and nobody else', async () => {
    const { url, origin, place, get } = await inspecting();
    expect(new URL(url).hostname).toBe('127.0.0.1');
    const entered = await fetch(url, { redirect: 'manual' });
    expect(entered.status).toBe(302);
    expect(entered.headers.get('location')).toMatch(/^\/[\w-]{16}\/$/);
    for (const path of ['/', '/app.js', '/api/library', '/api/events', '/api/none', '/?token=wrong']) {
      expect((await fetch(origin + path)).status, path).toBe(403);
      expect((await fetch(origin + place + path)).status, place + path).toBe(403);
    }
    expect((await get('/')).status).toBe(200);
    expect((await get('/api/none')).status).toBe(404);
    // A token opens the front door alone.
    for (const door of [origin, origin + place])
      expect((await fetch(`${door}/api/library${new URL(url).search}`, { redirect: 'manual' })).status).toBe(403);
  });

  it('AUT-3: no other server on this machine is sent its cookie, and the cookie tells no token (ATK-54)', async () => {
    const { url, place, cookie } = await inspecting();
    const [given = ''] = (await fetch(url, { redirect: 'manual' })).headers.getSetCookie();
    // Browsers send a cookie to every port of a host. Only its path keeps it from the others.
    expect(given).toMatch(new RegExp(`; Path=${place}/; HttpOnly; SameSite=Strict$`));
    const token = new URL(url).searchParams.get('token') ?? '';
    expect(cookie).not.toContain(token);
    // With the token as the cookie, as with the cookie of another inspector, nobody comes in.
    const name = cookie.split('=')[0] ?? '';
    const other = await inspecting();
    for (const value of [token, other.cookie.split('=')[1]])
      expect((await fetch(new URL(`${place}/api/library`, url), { headers: { cookie: `${name}=${value}` } })).status).toBe(403);
  });

  it('AUT-3: answers no other host and no other site, and lets a page run nothing but its own', async () => {
    const { origin, get } = await inspecting();
    const port = new URL(origin).port;
    expect(await statusOf(origin, { host: `evil.example:${port}` })).toBe(421);
    expect(await statusOf(origin, { host: `localhost:${port}` })).toBe(421);
    expect((await get('/api/library', { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    const post = { method: 'POST', body: '[]', headers: { origin: 'null' } };
    expect((await get('/api/recordings', post)).status).toBe(403);
    const policy = (await get('/')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`default-src 'none'`);
    expect(policy).not.toContain('unsafe');
  });

  it('AUT-3: a port that is taken is said so', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    await expect(startInspector({ provider: exampleSkills(), port })).rejects.toMatchObject({ code: 'source-unavailable' });
  });
});

describe('what the inspector tells', () => {
  it('AUT-3: costs part by part, and what the budget cut', async () => {
    const { json } = await inspecting();
    const library = await json<LibraryView>('/api/library');
    const skill = library.skills.find(({ name }) => name === 'sql-tuning');
    expect(skill).toMatchObject({ shown: 'whole', trusted: true, signature: { kind: 'not-signed' }, fileCount: 3 });
    expect(skill?.cost).toMatchObject({ line: expect.any(Number), body: expect.any(Number), files: { reference: expect.any(Number) } });
    const tight = await json<LibraryView>('/api/library?maxTokens=150');
    expect(tight.catalogTokens).toBeLessThanOrEqual(150);
    expect(new Set(tight.skills.map(({ shown }) => shown))).not.toContain('whole');
    expect(await json('/api/library?maxTokens=no')).toMatchObject({ error: { code: 'invalid-options' } });
  });

  it('AUT-3: ranking, likeness, files and prompts', async () => {
    const { json, get } = await inspecting();
    const [first] = await json<{ name: string; explanation: { terms: object[] } }[]>('/api/search?q=slow+postgres+query');
    expect(first).toMatchObject({ name: 'sql-tuning', explanation: { rank: 1 } });
    expect(await json('/api/likeness')).toMatchObject({ nodes: expect.arrayContaining([expect.objectContaining({ name: 'sql-tuning' })]) });
    expect(await json('/api/file?name=sql-tuning&path=references/reading-plans.md')).toMatchObject({ text: expect.stringContaining('#') });
    for (const path of ['../../../package.json', '/etc/passwd', 'none.md']) {
      expect((await get(`/api/file?name=sql-tuning&path=${encodeURIComponent(path)}`)).status, path).toBe(404);
    }
    for (const framework of ['core', 'ai-sdk', 'langchain', 'openai-agents']) {
      const prompt = await json<{ system: string; tools: { name: string }[] }>(`/api/prompt?framework=${framework}&instructions=Hi.`);
      expect(prompt.system, framework).toMatch(/^Hi\.\n\n[\s\S]*sql-tuning/);
      expect(prompt.tools.map(({ name }) => name)).toContain('load_skill');
    }
  });

  it('AUT-3: who signed what', async () => {
    const folder = await temporarySkill();
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
    const spki = Buffer.from(await crypto.subtle.exportKey('spki', keys.publicKey)).toString('base64');
    const publicKey = `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`;
    const signer = keySigner({ key: keys.privateKey, publicKey });
    await writeFile(
      join(folder, 'one/skill.oms.sig'),
      await signSkill(await readSkillFolder(join(folder, 'one')), { name: 'one', signer }),
    );
    const provider = () => fileSystemSkillProvider({ roots: [folder] });
    const signature = async (options: Partial<InspectorOptions>) => {
      const { json } = await inspecting({ provider: provider(), ...options });
      return (await json<LibraryView>('/api/library')).skills[0]?.signature;
    };
    expect(await signature({})).toEqual({ kind: 'unverified' });
    expect(await signature({ publicKeys: [publicKey] })).toMatchObject({ kind: 'verified', signer: expect.stringContaining('key') });
    await writeFile(join(folder, 'one/extra.md'), 'x');
    expect(await signature({ publicKeys: [publicKey] })).toMatchObject({ kind: 'refused' });
  });

  it('AUT-3: a lock holds the skills to their bytes', async () => {
    const folder = await temporarySkill();
    const provider = () => fileSystemSkillProvider({ roots: [folder] });
    const lock = await createSkillLock(provider());
    await writeFile(join(folder, 'one/SKILL.md'), '---\nname: one\ndescription: Does another thing.\n---\nOther.\n');
    const { json } = await inspecting({ provider: provider(), lock });
    expect(await json('/api/library')).toMatchObject({
      locked: true,
      skills: [],
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'skill-not-as-pinned' })]),
    });
  });

  it('AUT-3: says when a folder changed, and shows it as it is then', async () => {
    const folder = await temporarySkill();
    const provider = fileSystemSkillProvider({ roots: [folder], watch: { mode: 'poll', pollMs: 20, debounceMs: 1 } });
    onTestFinished(async () => await provider[Symbol.asyncDispose]());
    const { get, json } = await inspecting({ provider });
    expect(await json('/api/skill?name=one')).toMatchObject({ body: 'Do it.' });
    const reader = (await get('/api/events')).body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain('event: ready');
    await writeFile(join(folder, 'one/SKILL.md'), '---\nname: one\ndescription: Does one thing.\n---\nDo it well.\n');
    // A look may come between the two steps in which a file is written, and then another one follows.
    const body = async (): Promise<unknown> => (await json<{ body?: unknown }>('/api/skill?name=one')).body;
    // What is asked for is read anew, and the page is told of that as well.
    const changed = async (): Promise<void> => {
      for (let text: string | undefined = ''; !text.includes('event: changed');) {
        text = (await reader.read()).value;
        if (text === undefined) throw new Error('The events ended.');
      }
    };
    do await changed();
    while ((await body()) !== 'Do it well.');
    await reader.cancel();
  });

  it('AUT-3: forgets a page that listened for changes and was closed', async () => {
    const listeners = new Set<unknown>();
    const onEvent: AppOptions['onEvent'] = (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    const origin = 'http://127.0.0.1:1';
    const app = createApp({ token: 't', session: 's', place: '/p', origin: () => origin, onEvent } as Partial<AppOptions> as AppOptions);
    const headers = { host: '127.0.0.1:1', cookie: 'repertoire-inspect-1=s' };
    const reader = (await app.request(`${origin}/p/api/events`, { headers })).body!.getReader();
    await reader.read();
    expect(listeners.size).toBe(1);
    await reader.cancel();
    await expect.poll(() => listeners.size).toBe(0);
  });

  it('AUT-3: recordings come in by options and by requests, and bad ones are refused', async () => {
    const { json } = await inspecting({ recordings: [{ title: 'one.json', text: await recordedConversation() }] });
    const [row] = await json<{ id: string }[]>('/api/recordings');
    const post = (body: string) => ({ method: 'POST', body });
    expect(await json(`/api/recordings/${row?.id}/timeline`, post('{}'))).toMatchObject({ items: { length: 5 } });
    expect(
      await json(
        `/api/recordings/${row?.id}/replay`,
        post('{"settings":{"framework":"ai-sdk","instructions":"You are a senior engineer."}}'),
      ),
    ).toMatchObject({ compared: 3, changed: [] });
    expect(await json('/api/recordings?title=x', post('nonsense'))).toMatchObject({ error: { code: 'invalid-options' } });
    expect(await json('/api/recordings?title=x', post('[{"role":"user","content":"Hi"}]'))).toMatchObject({
      title: 'x',
      format: 'ai-sdk',
      turns: 1,
    });
  });
});

describe('a report', () => {
  it('AUT-3: names no folder of this machine (ATK-55)', async () => {
    const folder = await temporarySkill();
    await mkdir(join(folder, 'broken'));
    await writeFile(join(folder, 'broken/SKILL.md'), '---\nname: broken\n---\n');
    const file = join(tmpdir(), 'elsewhere/deep/place.md');
    const provider = fileSystemSkillProvider({ roots: [folder] });
    const other: SkillProvider = {
      ...provider,
      listSkills: async (options) => {
        const listing = await provider.listSkills(options);
        const fault = { code: 'odd', severity: 'warning', message: `${file} is odd (see https://example.com/a/b/c).`, path: file } as const;
        return { ...listing, diagnostics: [...listing.diagnostics, fault] };
      },
    };
    const text = `I work in ${folder}/one and ${homedir()}/notes.`;
    const recordings = [{ title: `${folder}/chat.json`, text: JSON.stringify([{ role: 'user', content: text }]) }];
    const html = await inspectorReport({ provider: other, title: folder, recordings });
    for (const local of [folder, tmpdir(), homedir(), process.cwd()])
      expect((html + reportIn(html)).split(`${local}/`).length, local).toBe(1);
    const data = JSON.parse(reportIn(html)) as { library: LibraryView; skills: Record<string, SkillView> };
    expect(data.skills['one']?.location).toMatch(/^one\/?/);
    const messages = data.library.diagnostics.map(({ message, path }) => `${path ?? ''} ${message}`).join('\n');
    expect(messages).toContain('broken/SKILL.md');
    expect(messages).toContain('deep/place.md is odd (see https://example.com/a/b/c).');
  });

  it('AUT-3: is one file that ends no element too early, whatever a skill holds', async () => {
    const folder = await temporarySkill('</script><script>globalThis.broken = true</script><!-- <script>');
    const provider = fileSystemSkillProvider({ roots: [folder] });
    const html = await inspectorReport({ provider, recordings: [{ title: 'one', text: '[{"role":"user","content":"Hi"}]' }] });
    expect(JSON.parse(reportIn(html))).toMatchObject({
      library: { skills: [{ name: 'one' }] },
      skills: { one: { body: expect.stringContaining('broken') } },
    });
    expect(html.match(/<\/script/g)).toHaveLength(2);
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\//);
    expect(await readFile(join(folder, 'one/SKILL.md'), 'utf8')).toContain('broken');
  });
});

/** What a report holds, as text. */
function reportIn(html: string): string {
  const packed = /<script type="application\/gzip" id="report">([^<]*)<\/script>/.exec(html)?.[1] ?? '';
  return gunzipSync(Buffer.from(packed, 'base64')).toString('utf8');
}
