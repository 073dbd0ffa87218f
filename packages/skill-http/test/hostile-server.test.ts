import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { SkillError } from '@repertoire/skills-core';
import { afterEach, describe, expect, it } from 'vitest';
import { httpSkillProvider, type HttpSkillProviderOptions } from '../src/index.ts';
import { guardedFetch } from '../src/node.ts';
import { skillMdOf, tarGzOf, zipOf } from './support/archives.ts';
import { archiveEntry, indexOf, skillMdEntry } from './support/origin.ts';
import { listen, type LocalServer } from './support/serve.ts';

const indexPath = '/.well-known/agent-skills/index.json';
const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A server on a real socket that answers as it is told. */
async function misbehave(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<LocalServer> {
  const server = await listen(createServer(answer));
  servers.push(server);
  return server;
}

/** A server that speaks as no library of HTTP would. */
async function speakRaw(speak: (socket: Socket) => void): Promise<{ readonly url: string }> {
  const sockets = new Set<Socket>();
  const tcp = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => speak(socket));
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  servers.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => tcp.close(() => resolve()));
    },
  });
  return { url: `http://127.0.0.1:${(tcp.address() as AddressInfo).port}` };
}

function providerOf({ url }: { readonly url: string }, options: Partial<HttpSkillProviderOptions> = {}) {
  return httpSkillProvider({
    url,
    allowHttp: true,
    allowPrivateAddresses: true,
    retries: 0,
    timeoutMs: 240_000,
    staleTimeoutMs: 240_000,
    ...options,
  });
}

async function errorOf(call: Promise<unknown>): Promise<SkillError> {
  const error = await call.then(
    () => new Error('It did not reject.'),
    (reason: unknown) => reason,
  );
  if (SkillError.isInstance(error)) return error;
  throw error;
}

describe('a hostile server, over real sockets', () => {
  it('SRC-4: slow loris: a header, or a body, a byte at a time', async () => {
    const dripping = await speakRaw((socket) => {
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
    });
    expect((await errorOf(providerOf(dripping, { timeoutMs: 300 }).listSkills())).code).toBe('timeout');

    let isClosed: (value: boolean) => void = () => {};
    const closed = new Promise<boolean>((resolve) => (isClosed = resolve));
    const server = await misbehave((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => {
        clearInterval(drip);
        isClosed(true);
      });
    });
    expect((await errorOf(providerOf(server, { timeoutMs: 300 }).listSkills())).code).toBe('timeout');
    // The connection is let go, so that nothing piles up.
    expect(await closed).toBe(true);
  });

  it('SRC-4: a body that is cut off, and lengths that are wrong', async () => {
    const cut = await misbehave((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"skills":');
      setImmediate(() => response.destroy());
    });
    expect((await errorOf(providerOf(cut).listSkills())).code).toBe('source-unavailable');
    const chunked = await misbehave((_request, response) => {
      response.write('{"skills":[]}');
      setImmediate(() => response.destroy());
    });
    expect((await errorOf(providerOf(chunked).listSkills())).code).toBe('source-unavailable');
    const short = await speakRaw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\n{"skills":[]}'));
    expect((await errorOf(providerOf(short).listSkills())).code).toBe('source-unavailable');
  });

  it('SRC-4: an endless body, plain and compressed, costs no more memory than its limit', async () => {
    let sent = 0;
    const endless = await misbehave((_request, response) => {
      const chunk = new Uint8Array(64 * 1024);
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const error = await errorOf(providerOf(endless, { limits: { indexBytes: 1_000_000 } }).listSkills());
    expect([error.code, error.message]).toEqual(['source-unavailable', expect.stringContaining('sends more than 1000000 bytes')]);
    // What the sockets of both sides hold is all that may be ahead.
    expect(sent).toBeLessThan(64 * 1024 * 1024);

    const zeros = gzipSync(new Uint8Array(64 * 1024 * 1024));
    const bomb = await misbehave((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': String(zeros.length) }).end(zeros),
    );
    expect((await errorOf(providerOf(bomb, { limits: { indexBytes: 1_000_000 } }).listSkills())).message).toContain(
      'sends more than 1000000 bytes',
    );
  });

  it('SRC-4: redirects in a circle, and to where nobody may look', async () => {
    let asked = 0;
    const circle = await misbehave((_request, response) => {
      asked += 1;
      response.writeHead(302, { location: asked % 2 === 0 ? '/a' : '/b' }).end();
    });
    expect((await errorOf(providerOf(circle).listSkills())).message).toContain('redirects more than 3 times');
    expect(asked).toBe(4);

    let isReached = false;
    const secret = await misbehave((_request, response) => {
      isReached = true;
      response.end('secret');
    });
    const away = await misbehave((_request, response) => response.writeHead(307, { location: secret.url }).end());
    expect((await errorOf(providerOf(away).listSkills())).message).toContain('is not an allowed origin');
    expect(isReached).toBe(false);
  });

  it('SRC-4: flaps between good and bad: the list stays', async () => {
    const text = skillMdOf('haiku');
    const library = indexOf([await skillMdEntry('haiku', text)]);
    let turn = 0;
    const bad = [
      (response: ServerResponse) => response.writeHead(500).end(),
      (response: ServerResponse) => response.destroy(),
      (response: ServerResponse) => response.end('<html>'),
    ];
    const flapping = await misbehave(({ url }, response) => {
      if (url !== indexPath) return void response.end(text);
      turn += 1;
      if (turn % 2 === 1) response.end(library);
      else bad[(turn / 2) % bad.length]?.(response);
    });
    let time = 0;
    const provider = providerOf(flapping, { minFreshMs: 0, cooldownMs: 0, now: () => (time += 1) });
    for (let round = 0; round < 12; round += 1) expect((await provider.listSkills()).skills).toHaveLength(1);
    expect(turn).toBe(12);
    expect(await provider.getSkill('haiku')).not.toBeNull();
  });

  it('SRC-4: media types that lie change nothing', async () => {
    const text = skillMdOf('haiku');
    const [tarGz, zip] = [await tarGzOf([['SKILL.md', skillMdOf('tarred')]]), zipOf({ 'SKILL.md': skillMdOf('zipped') })];
    const files = new Map<string | undefined, [string, string | Uint8Array]>([
      [
        indexPath,
        [
          'text/html',
          indexOf([
            await skillMdEntry('haiku', text, '/h.zip'),
            await archiveEntry('tarred', tarGz, '/t.zip'),
            await archiveEntry('zipped', zip, '/z.tar.gz'),
          ]),
        ],
      ],
      ['/h.zip', ['application/zip', text]],
      ['/t.zip', ['application/zip', tarGz]],
      ['/z.tar.gz', ['image/png', zip]],
    ]);
    const lying = await misbehave(({ url }, response) => {
      const [type, body] = files.get(url) ?? ['text/plain', ''];
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    const provider = providerOf(lying);
    for (const name of ['haiku', 'tarred', 'zipped']) expect((await provider.getSkill(name))?.body).toBe('Do it well.');
  });

  it('SRC-4: archives that are bombs: refused one by one, the others serve, and memory stays where it was (ATK-41)', async () => {
    const zeros = new Uint8Array(96 * 1024 * 1024);
    const bombs = {
      'gzip-bomb': gzipSync(zeros),
      'tar-bomb': await tarGzOf([
        ['SKILL.md', skillMdOf('tar-bomb')],
        ['zeros.bin', zeros],
      ]),
      'zip-bomb': zipOf({ 'SKILL.md': skillMdOf('zip-bomb'), 'zeros.bin': zeros }),
      fine: await tarGzOf([['SKILL.md', skillMdOf('fine')]]),
    };
    const entries = await Promise.all(Object.entries(bombs).map(([name, bytes]) => archiveEntry(name, bytes)));
    const server = await misbehave(({ url = '' }, response) => {
      const name = url.split('/').at(-1)?.replace('.tar.gz', '') ?? '';
      response.end(url === indexPath ? indexOf(entries) : bombs[name as keyof typeof bombs]);
    });
    const provider = providerOf(server, { limits: { unpackedBytes: 4 * 1024 * 1024 } });
    const before = process.memoryUsage();
    expect((await provider.listSkills()).skills).toHaveLength(4);
    for (const name of ['gzip-bomb', 'tar-bomb', 'zip-bomb']) {
      const error = await errorOf(provider.getSkill(name));
      expect([name, error.code]).toEqual([name, expect.stringMatching(/^(limit-exceeded|invalid-skill)$/)]);
    }
    const after = process.memoryUsage();
    expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(64 * 1024 * 1024);
    expect((await provider.getSkill('fine'))?.body).toBe('Do it well.');
  });

  it('SRC-4: an artifact that changes with each request is never used', async () => {
    let turn = 0;
    const entry = await skillMdEntry('haiku', skillMdOf('haiku'));
    const server = await misbehave(({ url }, response) =>
      response.end(url === indexPath ? indexOf([entry]) : skillMdOf('haiku', `Turn ${(turn += 1)}.`)),
    );
    expect((await errorOf(providerOf(server).getSkill('haiku'))).code).toBe('digest-mismatch');
    expect(turn).toBe(1);
  });

  it('SRC-4: the guarded fetch looks at what a name resolves to, all of it, at the moment of connecting (ATK-44)', async () => {
    let isReached = false;
    const inside = await misbehave((_request, response) => {
      isReached = true;
      response.end('secret');
    });
    const { port } = new URL(inside.url);
    const answers = (...addresses: string[]) =>
      guardedFetch({
        lookup: (_name, _options, callback) =>
          callback(
            null,
            addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
          ),
      });
    for (const addresses of [
      ['127.0.0.1'],
      ['93.184.215.14', '10.0.0.5'],
      ['::1'],
      ['::ffff:127.0.0.1'],
      ['169.254.169.254'],
      ['fd00::1'],
    ]) {
      await using fetch = answers(...addresses);
      const error = await errorOf(fetch(new Request(`http://rebind.example:${port}/`)));
      expect([error.code, error.message]).toEqual(['permission-denied', expect.stringContaining('rebind.example is not connected to')]);
    }
    for (const url of [inside.url, `http://localhost:${port}`, `http://[::1]:${port}`, `http://2130706433:${port}`]) {
      await using fetch = guardedFetch();
      expect((await errorOf(fetch(new Request(url)))).code).toBe('permission-denied');
    }
    expect(isReached).toBe(false);

    await using fetch = answers('127.0.0.1');
    const provider = httpSkillProvider({ url: `http://rebind.example:${port}`, allowHttp: true, retries: 0, fetch });
    expect((await errorOf(provider.listSkills())).message).toContain(
      'not on the public internet, or not allowed (it resolves to 127.0.0.1)',
    );
  });

  it('SRC-4: the guarded fetch connects to the very address that it looked at, and follows nothing by itself', async () => {
    const text = skillMdOf('haiku');
    const library = indexOf([await skillMdEntry('haiku', text)]);
    const hosts: (string | undefined)[] = [];
    const inside = await misbehave(({ url, headers }, response) => {
      hosts.push(headers.host);
      if (url === '/.well-known/agent-skills/haiku/SKILL.md') response.writeHead(302, { location: '/moved.md' }).end();
      else response.end(url === indexPath ? library : text);
    });
    const { port } = new URL(inside.url);
    let lookups = 0;
    await using fetch = guardedFetch({
      allowAddress: (address) => address === '127.0.0.1',
      lookup: (_name, _options, callback) => {
        lookups += 1;
        // A name that changes its mind is asked once for each connection, and never between the look and the connection.
        callback(null, [{ address: '127.0.0.1', family: 4 }]);
      },
    });
    const provider = httpSkillProvider({
      url: `http://skills.acme.example:${port}`,
      allowHttp: true,
      retries: 0,
      fetch,
    });
    expect((await provider.getSkill('haiku'))?.body).toBe('Do it well.');
    expect(hosts).toEqual(Array.from({ length: 3 }, () => `skills.acme.example:${port}`));
    expect(lookups).toBeGreaterThan(0);
    expect((await errorOf(fetch(new Request('http://127.0.0.2:1/')))).code).toBe('permission-denied');
  });
});
