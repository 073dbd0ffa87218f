import { describe, expect, it } from 'vitest';
import { skillMdOf } from './support/archives.ts';
import { indexOf, settle } from './support/origin.ts';
import { codeOf, hurried, libraryOf, setUp } from './support/set-up.ts';

const index = '/.well-known/agent-skills/index.json';
const legacy = '/.well-known/skills/index.json';
const get = `GET ${index}`;

describe('how fresh an answer is', () => {
  it('SRC-4: asks nobody while the server says that it is fresh, counts the age in caches, then asks on condition', async () => {
    const { origin, clock, names } = setUp();
    origin.put(index, await libraryOf('haiku'), { 'cache-control': 'public, max-age=60', age: '10', etag: '"one"' });
    await names();
    clock.advance(49_000);
    await names();
    expect(origin.asked()).toEqual([get]);
    clock.advance(1_000);
    origin.intercept = () => new Response(null, { status: 304, headers: { 'cache-control': 'max-age=100' } });
    expect(await names()).toEqual(['haiku']);
    expect(origin.asked()).toEqual([`${get} if "one"`]);
    // The tag of the first answer stays, the freshness is that of the second.
    clock.advance(99_000);
    await names();
    expect(origin.asked()).toEqual([]);
    clock.advance(1_000);
    await names();
    expect(origin.asked()).toEqual([`${get} if "one"`]);
  });

  it('SRC-4: forgets the tag of an answer that another one without a tag replaced', async () => {
    const { origin, clock, names } = setUp();
    origin.put(index, await libraryOf('haiku'), { etag: '"one"' });
    await names();
    clock.advance(1_000);
    origin.put(index, await libraryOf('maps'));
    expect(await names()).toEqual(['maps']);
    clock.advance(1_000);
    // On condition of the old tag, a server that has the old answer again would say that nothing changed.
    expect(await names()).toEqual(['maps']);
    expect(origin.asked()).toEqual([get, `${get} if "one"`, get]);
  });

  it('SRC-4: takes a date where there is no tag', async () => {
    const { origin, clock, names } = setUp();
    origin.put(index, await libraryOf('haiku'), { 'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT' });
    await names();
    clock.advance(1_000);
    await names();
    expect(origin.asked()).toEqual([get, `${get} if Fri, 20 Nov 2026 10:00:00 GMT`]);
  });

  it('SRC-4: keeps within what the host says, whatever the server says', async () => {
    const { origin, clock, names } = setUp({ minFreshMs: 2_000, maxFreshMs: 10_000 });
    origin.put(index, await libraryOf('haiku'), { 'cache-control': 'no-cache' });
    await names();
    clock.advance(1_999);
    await names();
    expect(origin.asked()).toEqual([get]);
    clock.advance(1);
    origin.put(index, await libraryOf('maps'), { 'cache-control': 'max-age=31536000, immutable' });
    expect(await names()).toEqual(['maps']);
    clock.advance(10_000);
    await names();
    expect(origin.asked()).toEqual([get, get]);
  });

  it('SRC-4: gives the old answer at once where the host asks for that, and the new one next time', async () => {
    const background: Promise<unknown>[] = [];
    const { origin, clock, names } = setUp({ staleWhileRevalidateMs: 60_000, waitUntil: (work) => background.push(work) });
    origin.put(index, await libraryOf('haiku'));
    await names();
    clock.advance(5_000);
    origin.put(index, await libraryOf('maps'));
    expect(await names()).toEqual(['haiku']);
    expect(background).toHaveLength(1);
    await background[0];
    expect(await names()).toEqual(['maps']);
    clock.advance(61_001);
    origin.put(index, await libraryOf('trains'));
    expect(await names()).toEqual(['trains']);
  });

  it('SRC-4: reads an artifact once, however often it is asked for', async () => {
    const { origin, clock, provider } = setUp();
    origin.put(index, await libraryOf('haiku')).put('/.well-known/agent-skills/haiku/SKILL.md', skillMdOf('haiku'));
    await Promise.all(Array.from({ length: 10 }, () => provider.getSkill('haiku')));
    clock.advance(100_000);
    await provider.getSkill('haiku');
    expect(origin.asked().filter((line) => line.includes('SKILL.md'))).toHaveLength(1);
  });

  it('SRC-4: follows single files by their tags, and keeps them where the server is down', async () => {
    const { origin, clock, provider } = setUp({ cooldownMs: 0 });
    origin
      .put(
        legacy,
        JSON.stringify({ skills: [{ name: 'maps', description: 'Does maps. Use it for maps.', files: ['SKILL.md', 'a.md'] }] }),
        { 'cache-control': 'max-age=1000' },
      )
      .put('/.well-known/skills/maps/SKILL.md', skillMdOf('maps'), { etag: '"m"' })
      .put('/.well-known/skills/maps/a.md', 'one', { etag: '"1"' });
    const read = async () => new TextDecoder().decode((await provider.readResource('maps', 'a.md'))?.bytes);
    expect(await read()).toBe('one');
    await provider.getSkill('maps');
    clock.advance(2_000);
    origin.put('/.well-known/skills/maps/a.md', 'two', { etag: '"2"' });
    expect(await read()).toBe('two');
    expect(origin.asked().at(-1)).toBe('GET /.well-known/skills/maps/a.md if "1"');
    clock.advance(2_000);
    origin.intercept = () => new Response(null, { status: 503 });
    expect(await read()).toBe('two');
    expect((await provider.getSkill('maps'))?.body).toBe('Do it well.');
    expect((await provider.getSkill('maps'))?.diagnostics.map(({ code }) => code)).toEqual(['stale-file']);
    origin.intercept = undefined;
    origin.remove('/.well-known/skills/maps/a.md');
    clock.advance(2_000);
    // Gone is an answer, and the index still lists it: what was good serves.
    expect(await read()).toBe('two');
  });
});

describe('a server that fails', () => {
  const troubles: [string, () => Response | Promise<Response>][] = [
    ['is down', () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }))],
    ['answers 500', () => new Response('oops', { status: 500 })],
    ['answers 404', () => new Response('gone', { status: 404 })],
    ['answers 403', () => new Response('no', { status: 403 })],
    ['shows a page', () => new Response('<html>Maintenance</html>')],
    ['answers nothing', () => new Response('')],
    ['cuts the index off', () => new Response('{"$schema":"https://schemas.agentskills.io/discovery/0.2.0/schema.json","skills":[')],
    ['answers other JSON', () => Response.json({ skills: 'none' })],
    ['answers entries of which none is good', () => new Response(indexOf([{ name: 'x' }]))],
    ['answers an unknown version', () => Response.json({ $schema: 'https://example.com/next', skills: [] })],
    ['redirects to another origin', () => new Response(null, { status: 302, headers: { location: 'https://evil.example/' } })],
    ['answers 304 to no question', () => new Response(null, { status: 304 })],
  ];

  it.each(troubles)('SRC-4: that %s never empties a list that was good, and a diagnostic says so', async (_what, trouble) => {
    const { origin, clock, names, codes, provider } = setUp({ cooldownMs: 5_000 });
    origin.put(index, await libraryOf('haiku', 'maps')).put('/.well-known/agent-skills/haiku/SKILL.md', skillMdOf('haiku'));
    expect(await names()).toEqual(['haiku', 'maps']);
    await provider.getSkill('haiku');
    origin.asked();
    origin.intercept = trouble;
    clock.advance(1_000);
    expect(await names()).toEqual(['haiku', 'maps']);
    // One attempt, since nobody has to wait for more; then the server is left alone for a while.
    expect(origin.asked()).toEqual([get]);
    expect(await codes()).toEqual(['stale-index']);
    expect((await provider.getSkill('haiku'))?.body).toBe('Do it well.');
    clock.advance(4_999);
    await names();
    expect(origin.asked()).toEqual([]);
    origin.intercept = undefined;
    origin.put(index, await libraryOf('haiku', 'trains'));
    clock.advance(1);
    expect(await names()).toEqual(['haiku', 'trains']);
    expect(await codes()).toEqual([]);
  });

  it('SRC-4: that publishes nothing any more is believed', async () => {
    const { origin, clock, names, codes } = setUp();
    origin.put(index, await libraryOf('haiku'));
    await names();
    clock.advance(1_000);
    origin.put(index, indexOf([]));
    expect([await names(), await codes()]).toEqual([[], []]);
  });

  it('SRC-4: that loses its index with digests is not read by the one without', async () => {
    const { origin, clock, names, codes } = setUp({ cooldownMs: 0 });
    origin.put(legacy, JSON.stringify({ skills: [{ name: 'evil', description: 'Without digests.', files: ['SKILL.md'] }] }));
    origin.put(index, await libraryOf('haiku'));
    await names();
    origin.remove(index);
    clock.advance(1_000);
    expect([await names(), await codes()]).toEqual([['haiku'], ['stale-index']]);
  });

  it('SRC-4: that gets an index with digests is read by that', async () => {
    const { origin, clock, names } = setUp();
    origin.put(legacy, JSON.stringify({ skills: [{ name: 'old', description: 'Without digests.', files: ['SKILL.md'] }] }));
    expect(await names()).toEqual(['old']);
    origin.put(index, await libraryOf('new'));
    clock.advance(1_000);
    expect(await names()).toEqual(['new']);
  });

  it('SRC-4: does so no longer than the host allows', async () => {
    const { origin, clock, names, provider } = setUp({ maxStaleMs: 60_000, retries: 0 });
    origin.put(index, await libraryOf('haiku'));
    await names();
    origin.intercept = () => new Response(null, { status: 500 });
    clock.advance(60_000);
    expect(await names()).toEqual(['haiku']);
    clock.advance(1);
    expect(await codeOf(provider.listSkills())).toBe('source-unavailable');
  });

  it('SRC-4: is left alone as long as it asks for', async () => {
    const { origin, clock, names } = setUp({ cooldownMs: 1_000 });
    origin.put(index, await libraryOf('haiku'));
    await names();
    origin.intercept = () => new Response(null, { status: 503, headers: { 'retry-after': '120' } });
    clock.advance(1_000);
    await names();
    clock.advance(119_000);
    await names();
    expect(origin.asked()).toEqual([get, get]);
    clock.advance(1_000);
    await names();
    expect(origin.asked()).toEqual([get]);
  });
});

describe('retries', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('SRC-4: tries again after %d, a random part of a time that doubles', async (status) => {
    const { origin, clock, names } = setUp();
    origin.put(index, await libraryOf('haiku'));
    let left = 2;
    origin.intercept = () => (left-- > 0 ? new Response(null, { status }) : undefined);
    expect(await hurried(clock, names())).toEqual(['haiku']);
    expect(origin.asked()).toEqual([get, get, get]);
    expect(clock.waits.filter((wait) => wait !== 10_000)).toEqual([125, 250]);
    expect(clock.pending).toBe(0);
  });

  it.each([400, 401, 403, 501])('SRC-4: does not try again after %d', async (status) => {
    const { origin, provider } = setUp();
    origin.intercept = () => new Response(null, { status });
    expect(await codeOf(provider.listSkills())).toBe('source-unavailable');
    expect(origin.asked()).toEqual([get]);
  });

  it.each([
    ['in seconds', '7', 7_000],
    ['as a date', 'Sat, 21 Nov 2026 12:00:09 GMT', 9_000],
    ['in the past', 'Sat, 21 Nov 2020 12:00:00 GMT', 0],
    ['as nonsense', 'soon', 125],
  ])('SRC-4: waits as Retry-After says %s', async (_how, value, expected) => {
    const { origin, clock, names } = setUp();
    origin.put(index, await libraryOf('haiku'));
    let left = 1;
    origin.intercept = () => (left-- > 0 ? new Response(null, { status: 429, headers: { 'retry-after': value } }) : undefined);
    await hurried(clock, names());
    expect(clock.waits.filter((wait) => wait !== 10_000)).toEqual([expected]);
  });

  it('SRC-4: gives up at once where the server wants to be left alone for long', async () => {
    const { origin, provider } = setUp({ maxRetryAfterMs: 60_000 });
    origin.intercept = () => new Response(null, { status: 429, headers: { 'retry-after': '61' } });
    expect(await codeOf(provider.listSkills())).toBe('source-unavailable');
    expect(origin.asked()).toEqual([get]);
  });

  it('SRC-4: ends after the attempts that the host allows', async () => {
    const { origin, clock, provider } = setUp({ retries: 1 });
    origin.intercept = () => Promise.reject(new TypeError('fetch failed'));
    await expect(hurried(clock, provider.listSkills())).rejects.toThrow('cannot be reached: fetch failed');
    expect(origin.asked()).toHaveLength(2);
  });

  it('SRC-4: gives each attempt its time, and says what took too long', async () => {
    const { origin, clock, provider } = setUp({ retries: 1, timeoutMs: 4_000 });
    origin.intercept = () => new Promise(() => {});
    const call = provider.listSkills();
    await expect(hurried(clock, call)).rejects.toThrow('did not answer in full within 4000 ms');
    expect(await codeOf(call)).toBe('timeout');
    expect(origin.asked()).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  it('SRC-4: counts a body that does not end into that time', async () => {
    const { origin, clock, provider } = setUp({ retries: 0 });
    origin.intercept = () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) }));
    expect(await codeOf(hurried(clock, provider.listSkills()))).toBe('timeout');
  });
});

describe('many callers', () => {
  it('SRC-4: share one request; an abort ends only the waiting of its caller, and what nobody waits for is given up', async () => {
    const { origin, provider } = setUp();
    const library = await libraryOf('haiku');
    const gate = Promise.withResolvers<Response>();
    origin.intercept = () => gate.promise;
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [provider.listSkills({ signal: first.signal }), provider.listSkills({ signal: second.signal }), provider.listSkills()];
    await settle();
    expect(origin.asked()).toEqual([get]);
    first.abort('enough');
    await expect(calls[0]).rejects.toBe('enough');
    expect(origin.requests[0]?.signal.aborted).toBe(false);
    gate.resolve(new Response(library));
    expect((await calls[1])?.skills).toHaveLength(1);
    expect(await calls[2]).toBe(await calls[1]);

    const { origin: other, provider: lonely } = setUp();
    other.intercept = () => new Promise(() => {});
    const controller = new AbortController();
    const call = lonely.listSkills({ signal: controller.signal });
    await settle();
    controller.abort('enough');
    await expect(call).rejects.toBe('enough');
    expect(other.requests[0]?.signal.aborted).toBe(true);
    // The next caller begins anew.
    other.intercept = () => new Response(library);
    expect((await lonely.listSkills()).skills).toHaveLength(1);
  });

  it('SRC-4: leave while a retry is waited for', async () => {
    const { origin, clock, provider } = setUp();
    origin.intercept = () => new Response(null, { status: 500 });
    const controller = new AbortController();
    const call = provider.listSkills({ signal: controller.signal });
    await settle();
    controller.abort('enough');
    await expect(call).rejects.toBe('enough');
    await settle();
    expect(clock.pending).toBe(0);
  });
});
