import { composeProviders, SkillRegistry } from '@repertoire/skills-core';
import type { SetTimer } from '@repertoire/skills-core/internal';
import { turnsDuring } from '../../skills-testkit/src/turns-during.ts';
import { describe, expect, it } from 'vitest';
import { mcpSkillProvider, type McpConnection } from '../src/index.ts';
import { mcpConnection } from '../src/connection/official-client.ts';
import type { McpChangeListener } from '../src/connection/mcp-connection.ts';
import { connectInMemory } from './support/connect.ts';
import { library, skillServer, type SkillEntry } from './support/skill-server.ts';

const files = { 'haiku/SKILL.md': '---\nname: haiku\ndescription: Writes haiku.\n---\nCount.\n' };
const dynamic = (name: string) => ({ uri: `skill://${name}/SKILL.md`, frontmatter: { name, description: 'D.' }, resources: 'dynamic' });
const hang = () => new Promise<never>(() => {});

/** Timers that a test fires by hand. */
class Timers {
  readonly #pending: { callback: () => void; milliseconds: number }[] = [];

  readonly set: SetTimer = (callback, milliseconds) => {
    const timer = { callback, milliseconds };
    this.#pending.push(timer);
    return () => void this.#pending.splice(this.#pending.indexOf(timer) >>> 0, 1);
  };

  /** Fires those of a length, and says how many there were. */
  fire(milliseconds: number): number {
    const due = this.#pending.filter((timer) => timer.milliseconds === milliseconds);
    for (const timer of due) {
      this.#pending.splice(this.#pending.indexOf(timer), 1);
      timer.callback();
    }
    return due.length;
  }
}

/** Lets everything that is under way go as far as it can. */
const settle = () => new Promise((resolve) => void setImmediate(resolve));

function connection(request: McpConnection['request']): McpConnection {
  return { extension: () => ({}), request };
}

describe('SRC-6: servers that misbehave', () => {
  it('SRC-6: one that answers with thousands at once is read in slices, so that others have their turn', async () => {
    const skills = Array.from({ length: 2_000 }, (_, at) => dynamic(`skill-${at}`));
    const provider = mcpSkillProvider({ client: connection(async () => ({ skills })) });
    expect(await turnsDuring(() => provider.listSkills())).toBeGreaterThanOrEqual(45);
    expect((await provider.listSkills()).skills).toHaveLength(2_000);
  });

  it('SRC-6: a server that hangs ends in a timeout, and its request is given up', async () => {
    const timers = new Timers();
    const signals: (AbortSignal | undefined)[] = [];
    const client = connection((_method, _params, options) => {
      signals.push(options?.signal);
      return hang();
    });
    const listing = mcpSkillProvider({ label: 'slow', client, timeoutMs: 7, setTimer: timers.set }).listSkills();
    await settle();
    expect(timers.fire(7)).toBe(1);
    await expect(listing).rejects.toMatchObject({ code: 'timeout', source: 'slow' });
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  it('SRC-6: pages without end are cut at the limit, and what came is used', async () => {
    let pages = 0;
    const client = connection(async () => ({ skills: [dynamic(`s${pages}`)], nextCursor: String((pages += 1)) }));
    const provider = mcpSkillProvider({ client, limits: { pages: 5 } });
    expect((await provider.listSkills()).skills).toHaveLength(5);
    expect(pages).toBe(5);
    expect((await provider.listSkills()).diagnostics.map(({ code }) => code)).toContain('listing-truncated');
  });

  it('SRC-6: so are pages that go in circles, that are huge, and that never come to an end in time', async () => {
    const circles = mcpSkillProvider({ client: connection(async () => ({ skills: [dynamic('a')], nextCursor: 'again' })) });
    expect((await circles.listSkills()).skills).toHaveLength(1);
    const huge = mcpSkillProvider({
      client: connection(async () => ({ skills: Array.from({ length: 1_000 }, (_, index) => dynamic(`s${index}`)) })),
      limits: { skills: 10 },
    });
    expect((await huge.listSkills()).skills).toHaveLength(10);

    const timers = new Timers();
    let page = 0;
    const slow = mcpSkillProvider({
      client: connection(async () => {
        page += 1;
        return page === 1 ? { skills: [dynamic('a')], nextCursor: 'next' } : hang();
      }),
      listTimeoutMs: 9,
      setTimer: timers.set,
    });
    const listing = slow.listSkills();
    await settle();
    expect(timers.fire(9)).toBe(1);
    expect(await listing).toMatchObject({ skills: [{ name: 'a' }], complete: false });
    for (const provider of [circles, huge])
      expect((await provider.listSkills()).diagnostics.map(({ code }) => code)).toContain('listing-truncated');
    expect((await circles.listSkills()).diagnostics.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('"again" came twice'),
    );
  });

  it('SRC-6: the files of a skill whose folders have more than the limit allows are cut, and say so', async () => {
    const folder = { 'haiku/references/old.md': 'old\n', 'haiku/notes.md': 'notes\n' };
    const served = { ...library({ ...files, ...folder }), entry: (entry: SkillEntry) => ({ ...entry, resources: 'dynamic' }) };
    const found = async (most: number) => {
      const { client } = await connectInMemory(skillServer(served));
      const skill = await mcpSkillProvider({ client, limits: { files: most } }).getSkill('haiku');
      return [skill?.resources.length, skill?.diagnostics.map(({ code }) => code)];
    };
    expect(await found(3)).toEqual([2, ['skill-unverified']]);
    expect(await found(1)).toEqual([0, ['skill-unverified', 'resources-truncated']]);
  });

  it('SRC-6: exactly as many skills and pages as the limits allow are not cut, and say so', async () => {
    const pages = [{ skills: [dynamic('a'), dynamic('b')], nextCursor: 'next' }, { skills: [dynamic('c')] }];
    const client = connection(async (_method, { cursor }) => (cursor === 'next' ? pages[1] : pages[0]));
    const listing = await mcpSkillProvider({ client, limits: { skills: 3, pages: 2 } }).listSkills();
    expect(listing.skills.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect([listing.complete, listing.diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([true, []]);
    for (const limits of [{ skills: 2 }, { pages: 1 }]) {
      const cut = await mcpSkillProvider({ client, limits }).listSkills();
      expect([cut.skills.length, cut.complete]).toEqual([2, false]);
    }
  });

  it('SRC-6: a skill that an interrupted listing does not have is not unknown, since nobody knows', async () => {
    const isBroken = { current: true };
    const client = connection(async (_method, { cursor }) => {
      if (cursor === undefined) return { skills: [dynamic('a')], nextCursor: 'next' };
      if (isBroken.current) throw new Error('the database is locked');
      return { skills: [dynamic('b')] };
    });
    const provider = mcpSkillProvider({ label: 'flaky', client, minFreshMs: 0 });
    await expect(provider.getSkill('b')).rejects.toMatchObject({ code: 'source-unavailable', source: 'flaky' });
    await expect(provider.readResource('b', 'SKILL.md')).rejects.toMatchObject({ code: 'source-unavailable' });
    // Another source does not get the name meanwhile.
    const other = new SkillRegistry({
      skills: [{ name: 'b', description: 'Not the same.', body: 'Other.' }],
      label: 'other',
      trusted: false,
    });
    const both = composeProviders([provider, other]);
    isBroken.current = false;
    expect((await both.listSkills()).skills.find(({ name }) => name === 'b')?.origin?.label).toBe('flaky');
    isBroken.current = true;
    await expect(both.getSkill('b')).rejects.toMatchObject({ code: 'source-unavailable' });
    expect((await both.listSkills()).skills.find(({ name }) => name === 'b')).toBeUndefined();
    // What is beyond a limit is not there, and asking again would not bring it.
    isBroken.current = false;
    expect(await mcpSkillProvider({ client, limits: { pages: 1 } }).getSkill('b')).toBeNull();
    expect(await mcpSkillProvider({ client }).getSkill('c')).toBeNull();
  });

  it.each([
    ['that fails', () => Promise.reject(new Error('the database is locked'))],
    ['without skills', () => Promise.resolve({ nonsense: true })],
  ])('SRC-6: a page %s ends the listing, which then says that it is not complete', async (_what, second) => {
    const client = connection(async (_method, { cursor }) =>
      cursor === 'next' ? await second() : { skills: [dynamic('a')], nextCursor: 'next' },
    );
    const { skills, diagnostics, complete } = await mcpSkillProvider({ client }).listSkills();
    expect([skills.length, complete]).toEqual([1, false]);
    expect(diagnostics.map(({ code }) => code)).toContain('listing-truncated');
    await expect(mcpSkillProvider({ client: connection(() => second() as never) }).listSkills()).rejects.toMatchObject({
      code: 'source-unavailable',
    });
  });

  it('SRC-6: an entry with a file twice is refused, in whatever spelling', async () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const skill = (...uris: string[]) => ({ ...dynamic('haiku'), resources: uris.map((uri) => ({ uri, digest, size: 1 })) });
    const listed = async (entry: object) => await mcpSkillProvider({ client: connection(async () => ({ skills: [entry] })) }).listSkills();
    const main = 'skill://haiku/SKILL.md';
    expect((await listed(skill(main, 'skill://haiku/a.md'))).skills).toHaveLength(1);
    for (const twice of [
      [main, main],
      [main, 'skill://haiku/a.md', 'skill://haiku/%61.md'],
    ]) {
      const { skills, diagnostics } = await listed(skill(...twice));
      expect([skills.length, diagnostics.map(({ code, message, fix }) => [code, message, fix])]).toEqual([
        0,
        [['entry-invalid', expect.stringContaining('is listed twice'), 'Ask who runs the server to fix it.']],
      ]);
    }
  });

  it('SRC-6: of several contents, the one that was asked for is taken', async () => {
    const client = connection(async (method, { uri }) => {
      if (method === 'skills/list') return { skills: [dynamic('haiku')] };
      return {
        contents: [
          { uri: 'skill://haiku/other.md', text: 'Other.' },
          { uri, text: 'Asked for.' },
        ],
      };
    });
    const file = await mcpSkillProvider({ client }).readResource('haiku', 'a.md');
    expect(new TextDecoder().decode(file?.bytes)).toBe('Asked for.');
  });

  it('SRC-6: a SKILL.md whose frontmatter is longer than the limit is refused before it is parsed (ATK-33)', async () => {
    const text = `---\nname: haiku\ndescription: D.\n${Array.from({ length: 20_000 }, (_, index) => `k${index}: 1\n`).join('')}---\nBody.`;
    const client = connection(async (method, { uri }) =>
      method === 'skills/list'
        ? { skills: [dynamic('haiku')] }
        : method === 'skills/get'
          ? { skill: dynamic('haiku') }
          : { contents: [{ uri, text }] },
    );
    for (const profile of ['strict', 'lenient'] as const) {
      await expect(mcpSkillProvider({ client, profile }).getSkill('haiku')).rejects.toMatchObject({
        code: 'digest-mismatch',
        message: expect.stringContaining('limits.frontmatterCharacters'),
      });
    }
  });

  it('SRC-6: a frontmatter with a key twice is not read', async () => {
    const twice = mcpSkillProvider({
      client: connection(async (method, { uri }) =>
        method === 'skills/list'
          ? { skills: [dynamic('haiku')] }
          : { contents: [{ uri, text: '---\nname: haiku\nname: haiku\ndescription: D.\n---\n' }] },
      ),
    });
    await expect(twice.getSkill('haiku')).rejects.toThrow('unique');
  });

  it('SRC-6: an entry of 1 GiB is refused before it is read, and the others are served', async () => {
    const read: unknown[] = [];
    const bomb = {
      ...dynamic('bomb'),
      resources: [{ uri: 'skill://bomb/SKILL.md', digest: `sha256:${'0'.repeat(64)}`, size: 2 ** 30 }],
    };
    const client = connection(async (method, { uri }) => {
      if (method === 'skills/list') return { skills: [bomb, dynamic('haiku')] };
      read.push(uri);
      return { contents: [{ uri, text: '---\nname: haiku\ndescription: D.\n---\nBody.' }] };
    });
    const provider = mcpSkillProvider({ client });
    expect(await provider.getSkill('bomb')).toBeNull();
    expect((await provider.getSkill('haiku'))?.body).toBe('Body.');
    expect(read).toEqual(['skill://haiku/SKILL.md']);
    expect((await provider.listSkills()).diagnostics.map(({ code, skill }) => [code, skill])).toContainEqual(['skill-too-large', 'bomb']);
  });

  it('SRC-6: contents beyond the promise, or beyond the limit where there is none, are refused before they are decoded', async () => {
    const client = connection(async (method, { uri }) => {
      if (method === 'skills/list') return { skills: [dynamic('haiku')] };
      return { contents: [{ uri, ...(String(uri).endsWith('.bin') ? { blob: 'A'.repeat(10_000) } : { text: 'x'.repeat(10_000) }) }] };
    });
    const provider = mcpSkillProvider({ client, limits: { skillBytes: 1_000 } });
    for (const path of ['a.bin', 'a.txt']) {
      await expect(provider.readResource('haiku', path)).rejects.toMatchObject({ code: 'limit-exceeded', path });
    }
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'skills'],
    ['skills that are no list', { skills: {} }],
  ])('SRC-6: an answer that is %s is no answer', async (_what, answer) => {
    await expect(mcpSkillProvider({ client: connection(async () => answer) }).listSkills()).rejects.toMatchObject({
      code: 'source-unavailable',
    });
  });

  it.each([
    [null],
    [7],
    [{}],
    [{ uri: 'skill://x' }],
    [{ uri: 'https://x.example/SKILL.md/..', frontmatter: {} }],
    [{ ...dynamic('x'), uri: 'file:///etc/x/SKILL.md' }],
    [[]],
  ])('SRC-6: an entry that is %j takes no other one down', async (entry) => {
    const provider = mcpSkillProvider({ client: connection(async () => ({ skills: [entry, dynamic('haiku')] })) });
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['haiku']);
    expect((await provider.listSkills()).diagnostics.map(({ code }) => code)).toContain('entry-invalid');
  });

  it('SRC-6, CON-7: a server that drops is reported, harms no other source, and is back when its host reconnects', async () => {
    const server = skillServer(library(files));
    let at = await connectInMemory(server);
    const mcp = mcpSkillProvider({ label: 'crm', client: () => at.client, minFreshMs: 0 });
    const provider = composeProviders([new SkillRegistry({ skills: [{ name: 'own', description: 'Mine.', body: 'B.' }] }), mcp]);
    const names = async () => (await provider.listSkills()).skills.map(({ name }) => name);
    expect(await names()).toEqual(['haiku', 'own']);
    await at.close();
    expect(await names()).toEqual(['own']);
    const listing = await provider.listSkills();
    expect([listing.complete, listing.diagnostics.map(({ code }) => code)]).toEqual([false, expect.arrayContaining(['source-failed'])]);
    at = await connectInMemory(server);
    expect(await names()).toEqual(['haiku', 'own']);
    await at.close();
  });

  it('SRC-6: a stream of notices that ends is opened again, and what was missed meanwhile is told', async () => {
    const timers = new Timers();
    const listeners: McpChangeListener[] = [];
    let skills = [dynamic('a')];
    const client: McpConnection = {
      extension: () => ({}),
      request: async () => ({ skills }),
      onResourcesChanged(listener) {
        listeners.push(listener);
        return () => {};
      },
    };
    const provider = mcpSkillProvider({ client, setTimer: timers.set, debounceMs: 3 });
    let notices = 0;
    const stop = provider.watch(() => (notices += 1));
    await provider.listSkills();
    listeners[0]?.ended();
    skills = [dynamic('a'), dynamic('b')];
    expect(timers.fire(1_000)).toBe(1);
    expect(listeners).toHaveLength(2);
    listeners[1]?.ended();
    expect(timers.fire(2_000)).toBe(1);
    listeners[2]?.ready();
    await settle();
    expect(timers.fire(3)).toBe(1);
    await settle();
    expect(notices).toBe(1);
    expect((await provider.listSkills()).skills).toHaveLength(2);
    listeners[2]?.ready();
    await settle();
    expect(timers.fire(3)).toBe(0);
    stop();
    listeners[2]?.changed();
    expect(timers.fire(3)).toBe(0);
  });

  it('SRC-6: a subscription that is opened after nobody watches any more is closed', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<{ close(): Promise<void>; closed: Promise<string> }>();
    let closes = 0;
    const client = { setNotificationHandler: () => {}, getProtocolEra: () => 'modern', listen: async () => await opened };
    const told: string[] = [];
    const listener = { ready: () => told.push('ready'), changed: () => told.push('changed'), ended: () => told.push('ended') };
    mcpConnection(client as never).onResourcesChanged!(listener)();
    open({ close: async () => void (closes += 1), closed: new Promise(() => {}) });
    await settle();
    expect([closes, told]).toEqual([1, []]);
  });

  it('SRC-6: a listing is used as long as the server says, within the bounds of the host', async () => {
    let now = 0;
    let asked = 0;
    const client = connection(async () => {
      asked += 1;
      return { skills: [], ttlMs: 5_000 };
    });
    const provider = mcpSkillProvider({ client, now: () => now, maxFreshMs: 4_000 });
    for (const time of [0, 3_999, 4_000, 7_999]) {
      now = time;
      await provider.listSkills();
    }
    expect(asked).toBe(2);
  });

  it('SRC-6: the first page says how long a listing is used, and none of the others', async () => {
    let now = 0;
    let asked = 0;
    const client = connection(async (_method, params) => {
      asked += 1;
      return params?.['cursor'] === undefined ? { skills: [], ttlMs: 1_000, nextCursor: 'more' } : { skills: [], ttlMs: 5_000 };
    });
    const provider = mcpSkillProvider({ client, now: () => now, minFreshMs: 0 });
    for (const time of [0, 999, 1_000]) {
      now = time;
      await provider.listSkills();
    }
    expect(asked).toBe(4);
  });
});
