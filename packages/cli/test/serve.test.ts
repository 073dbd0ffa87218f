import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { run } from '@repertoire/cli';
import { runCli } from './run-cli.ts';
import { serving } from './serving.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

/** The status of an answer to a request with any `Host`, which `fetch` does not send. */
async function statusOf(url: string, headers: Readonly<Record<string, string>>, method = 'POST'): Promise<number | undefined> {
  const request = httpRequest(url, { method, headers }).end(method === 'POST' ? '{}' : undefined);
  const [response] = (await once(request, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

describe('AUT-1: repertoire serve', () => {
  it('AUT-1: serves folders over HTTP, ready before it says so, until it is stopped', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a'), 'skills/broken/SKILL.md': '---\nname: broken\n---\n' });
    const { url, stderr, stop } = await serving(folder.path, 'skills', '--http');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(stderr()).toMatch(/Reading 1 skill…[\s\S]*error \S+ .*broken[\s\S]*Serving 1 skill at http/);
    const listed = await runCli(folder.path, ['show', 'a', url, '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({ ok: true, skill: { name: 'a', body: 'Instructions of a.' } });
    expect(await runCli(folder.path, ['diff', 'skills', url, '--stat'])).toMatchObject({ code: 0 });
    expect(await stop()).toBe('stop');
    expect(await runCli(folder.path, ['list', url])).toMatchObject({ code: 1 });
  });

  it('AUT-1: counts requests in a line of a terminal, and nowhere else', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a') });
    const serveOn = async (isTTY: boolean, more: readonly string[]): Promise<string> => {
      const controller = new AbortController();
      const { promise, resolve } = Promise.withResolvers<string>();
      let stderr = '';
      const ended = run(['serve', 'skills', '--http', '--port', '0', ...more], {
        cwd: folder.path,
        env: { NO_COLOR: '1' },
        signal: controller.signal,
        stdout: { write: resolve },
        stderr: { isTTY, columns: 100, write: (text) => (stderr += text) },
      });
      const [url = ''] = /http:\/\/[^\s",]+/.exec(await promise) ?? [];
      await (await fetch(url)).text();
      await expect
        .poll(
          async () => (await (await fetch(new URL('none?token=s3cret', url))).text(), stderr.includes('none') || !isTTY || more.length > 0),
        )
        .toBe(true);
      controller.abort('stop');
      await ended.catch(() => undefined);
      return stderr;
    };
    const shown = await serveOn(true, []);
    expect(shown).not.toContain('s3cret');
    expect(shown).toMatch(/\r\u001B\[K1 request(?:, 1 of them refused)?; last: \d{3} GET \/\r/);
    expect(shown).toMatch(/\d+ requests, \d+ of them refused; last: 404 GET \/none\?…/);
    expect(shown).toMatch(/\r\u001B\[KAnswered \d+ requests, \d+ of them refused\.\n$/);
    // Nothing but the line is cleared: no color.
    expect(shown.replaceAll('\r\u001B[K', '')).not.toContain('\u001B');
    for (const quiet of [await serveOn(false, []), await serveOn(true, ['--json'])]) expect(quiet).not.toMatch(/last:|Answered/);
  });

  it('AUT-1: lets no page of the web read what it serves to this machine (ATK-51)', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a') });
    const { url } = await serving(folder.path, 'skills', '--http');
    const index = `${url}.well-known/agent-skills/index.json`;
    const own = await fetch(index, { headers: { origin: 'https://evil.example' } });
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    // A name of another site that leads to this machine.
    expect(await statusOf(index, { host: 'evil.example' }, 'GET')).toBe(403);
    for (const host of ['localhost', `127.0.0.1:${new URL(url).port}`]) expect(await statusOf(index, { host }, 'GET')).toBe(200);
    // Whoever lets other machines in serves the public, which comes by any name.
    const open = new URL((await serving(folder.path, 'skills', '--http', '--host', '0.0.0.0')).url);
    const publicIndex = `http://127.0.0.1:${open.port}/.well-known/agent-skills/index.json`;
    expect(await statusOf(publicIndex, { host: 'skills.example' }, 'GET')).toBe(200);
    expect((await fetch(publicIndex)).headers.get('access-control-allow-origin')).toBe('*');
  });

  it('AUT-1: is an MCP server over HTTP, and answers no page of another site', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a') });
    const { url } = await serving(folder.path, 'skills', '--mcp', 'http', '--expose-tools');
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    onTestFinished(() => client.close());
    const loaded = await client.callTool({ name: 'load_skill', arguments: { name: 'a' } });
    expect(JSON.stringify(loaded)).toContain('Instructions of a.');
    expect(await statusOf(url, { host: 'evil.example' })).toBe(403);
    expect(await statusOf(url, { origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf(url.replace('/mcp', '/other'), {})).toBe(404);
  });

  it('AUT-1: is an MCP server over stdio, as the command of a client', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a') });
    const main = path.join(import.meta.dirname, '../src/main.ts');
    const args = ['--conditions=@repertoire/source', main, 'serve', folder.at('skills'), '--mcp', 'stdio', '--expose-tools'];
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('load_skill');
    const loaded = await client.callTool({ name: 'load_skill', arguments: { name: 'a' } });
    expect(JSON.stringify(loaded)).toContain('Instructions of a.');
  });

  it('AUT-1: says what is wrong with how it is called', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a') });
    const serve = (...argv: string[]) => runCli(folder.path, ['serve', 'skills', ...argv]);
    expect(await serve()).toMatchObject({ code: 2, stderr: expect.stringContaining('Give --http, --mcp stdio or --mcp http') });
    expect(await serve('--http', '--mcp', 'http')).toMatchObject({ code: 2 });
    expect(await serve('--http', '--expose-tools')).toMatchObject({ code: 2 });
    expect(await serve('--mcp', 'stdio', '--json')).toMatchObject({ code: 2, stderr: expect.stringContaining('belongs to the protocol') });
    expect(await serve('--http', '--port', '70000')).toMatchObject({ code: 2 });
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    expect(await serve('--http', '--port', String(port))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/EADDRINUSE.*Give another --port/),
    });
  });

  it('AUT-1: keeps the digests of files in a folder, for the next start', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a'), 'skills/a/guide.md': 'Guide' });
    // What changed within the last two seconds is not kept.
    const now = vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + 60_000);
    onTestFinished(() => now.mockRestore());
    const { stop } = await serving(folder.path, 'skills', '--mcp', 'http', '--cache', 'cache');
    await stop();
    const digest = createHash('sha256').update('Guide').digest('hex');
    expect(await readFile(folder.at('cache/digests-1.jsonl'), 'utf8')).toContain(digest);
    expect(await runCli(folder.path, ['serve', 'skills', '--http', '--cache', 'cache'])).toMatchObject({ code: 2 });
  });
});
