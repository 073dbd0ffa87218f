import { chmod, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { createSkillLock, diffSkillLock, parseSkillLock, serializeSkillLock } from '@repertoire/skill-trust/lock';
import type { SkillDiagnostic, SkillLock } from '@repertoire/skills-core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { pinnedPlugins } from '../src/index.ts';
import { pluginServers } from '../src/servers.ts';
import type { PluginEvent } from '../src/provider/plugin-provider-options.ts';
import { ledgerPlugin } from './support/ledger-plugin.ts';
import { startHttpServer } from './support/mcp-servers.ts';
import { mcpOf } from './support/plugins.ts';

type Parts = Awaited<ReturnType<typeof ledgerPlugin>>;

async function open({ provider, servers }: Parts, skill: string = 'pay', holder: string = 'a') {
  const reports: SkillDiagnostic[] = [];
  const { skills } = await provider.listSkills();
  const tools = await servers.open(
    skills.find(({ name }) => name === skill)!,
    { holder, report: (report) => reports.push(report) },
  );
  return { tools, reports, named: (name: string) => tools.find((tool) => tool.name === name)! };
}

describe('PLG-4: servers of plugins', () => {
  it('are off unless they are allowed by name', async () => {
    const parts = await ledgerPlugin({ options: { allow: [] } });
    expect(await open(parts)).toMatchObject({ tools: [], reports: [] });
    expect(parts.isRunning()).toBe(false);
  });

  it('are off for plugins that the host does not trust', async () => {
    const parts = await ledgerPlugin({ trusted: false });
    expect((await open(parts)).tools).toEqual([]);
    expect(parts.isRunning()).toBe(false);
  });

  it('are opened only where whoever is asked says yes, and nothing else', async () => {
    for (const answer of [false, undefined, 'yes']) {
      const parts = await ledgerPlugin({ options: { grant: async () => answer as boolean } });
      expect((await open(parts)).tools).toEqual([]);
    }
    const asked: string[] = [];
    const parts = await ledgerPlugin({
      options: { grant: ({ plugin, server, skill }) => asked.push(`${plugin.manifest.name} ${server} ${skill.name}`) > 0 },
    });
    expect((await open(parts)).tools.map(({ name }) => name)).toEqual(['ledger', 'erase']);
    expect(asked).toEqual(['billing ledger pay']);
  });

  it('start in the plugin, with both folders and nothing expanded twice', async () => {
    const parts = await ledgerPlugin();
    const { named } = await open(parts);
    const { text, isError } = await named('ledger').call({ account: 'A1' });
    expect(isError).toBe(false);
    expect(text.startsWith('A1 ')).toBe(true);
    expect(JSON.parse(text.slice(3))).toEqual({
      args: [parts.data],
      cwd: parts.root,
      root: parts.root,
      data: parts.data,
      mode: `in ${parts.root}`,
    });
    expect(((await stat(parts.data)).mode & 0o777).toString(8)).toBe('700');
    expect(await named('erase').call({ account: 'A1' })).toEqual({ text: 'The ledger cannot be erased.', isError: true });
  });

  it('are started once, and again only where they end at the question for a newer protocol', async () => {
    const parts = await ledgerPlugin();
    expect((await (await open(parts)).named('ledger').call({ account: 'A1' })).isError).toBe(false);
    expect(parts.starts()).toBe(1);
    const ledger = { type: 'stdio', command: 'node', args: ['${PLUGIN_ROOT}/bin/ledger.mjs'], env: { MODE: 'older' } };
    const older = await ledgerPlugin({ servers: { ledger } });
    expect(await open(older)).toMatchObject({ reports: [], tools: [{ name: 'ledger' }, { name: 'erase' }] });
    expect(older.starts()).toBe(2);
  });

  it('are given up in seconds where they say nothing (ATK-273)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const parts = await ledgerPlugin({ servers: { ledger: { type: 'stdio', command: 'node', args: ['-e', 'process.stdin.resume()'] } } });
    let isSettled = false;
    const opening = open(parts).finally(() => (isSettled = true));
    const began = Date.now();
    // The process starts in its own time; only what is waited for passes.
    while (!isSettled) {
      if (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await opening).reports).toMatchObject([{ code: 'plugin-server-failed', message: expect.stringContaining('timed out') }]);
    expect(Date.now() - began).toBeLessThan(30_000);
  });

  it('say no more than frameworks can bear, before any framework gets it (ATK-274)', async () => {
    const deep: Record<string, unknown> = {};
    for (let at = deep, level = 0; level < 200; level += 1) at = at['properties'] = {};
    const plain = { type: 'object' };
    const tools = [
      { name: 'long', description: 'd'.repeat(1_000_000), inputSchema: plain },
      { name: 'n'.repeat(1_000), inputSchema: plain },
      { name: 'deep', inputSchema: { type: 'object', ...deep } },
      { name: 'wide', inputSchema: { type: 'object', title: 't'.repeat(200_000) } },
      { name: 'flood', inputSchema: plain },
    ];
    const answers: Record<string, unknown> = {
      initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
      'tools/list': { tools },
      long: { content: [{ type: 'text', text: 'a'.repeat(2_000_000) }] },
      flood: { content: [{ type: 'text', text: 'a'.repeat(20_000_000) }] },
    };
    let pages = 0;
    const server = createServer((request, response) => {
      void textOf(request).then((body) => {
        const { id, method, params } = (body === '' ? {} : JSON.parse(body)) as {
          id?: number;
          method?: string;
          params?: { name?: string };
        };
        const result = answers[method === 'tools/call' ? (params?.name ?? '') : (method ?? '')];
        if (request.method !== 'POST' || id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end();
        const told = method === 'tools/list' && pages > 0 ? { tools, nextCursor: `page ${(pages += 1)}` } : result;
        const answer = told === undefined ? { error: { code: -32601, message: 'No such method' } } : { result: told };
        return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await vi.waitUntil(() => server.listening);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const parts = await ledgerPlugin({ servers: { ledger: { type: 'streamable-http', url } } });
    const { tools: found, reports, named } = await open(parts);
    expect([found.map(({ name }) => name), reports], JSON.stringify(reports)).toMatchObject([['long', 'flood'], [{}]]);
    expect(named('long').description.length).toBeLessThan(11_000);
    expect(reports).toMatchObject([{ code: 'plugin-server-failed', message: expect.stringContaining('3 more are left out') }]);
    expect((await named('long').call({})).text.length).toBeLessThan(401_000);
    await expect(named('flood').call({})).rejects.toThrow(/is longer than/);
    pages = 1;
    const endless = await open(await ledgerPlugin({ servers: { ledger: { type: 'streamable-http', url } } }));
    expect(endless).toMatchObject({ tools: [], reports: [{ message: expect.stringContaining('did not terminate') }] });
  });

  it('are shared by the skills of a plugin, and closed when none is loaded', async () => {
    const events: string[] = [];
    const onEvent = ({ type, server, skill, tool = '' }: PluginEvent) => events.push(`${type} ${server} ${skill} ${tool}`);
    const parts = await ledgerPlugin({ options: { onEvent } });
    await open(parts, 'pay');
    const { named } = await open(parts, 'refund');
    expect(parts.isRunning()).toBe(true);
    await parts.servers.close('a', 'pay');
    expect((await named('ledger').call({ account: 'A2' })).text).toMatch(/^A2 /);
    await parts.servers.close('a', 'refund');
    expect(parts.isRunning()).toBe(false);
    expect(events).toEqual(['server-opened ledger pay ', 'tool-called ledger refund ledger', 'server-closed ledger pay ']);
    await expect(named('ledger').call({ account: 'A2' })).rejects.toThrow(/Load its skill again/);
  });

  it('keep no process alive by a connection that is idle', async () => {
    const idleMs = 123_456;
    const set = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => set.mockRestore());
    const { named } = await open(await ledgerPlugin({ options: { idleMs } }));
    await named('ledger').call({ account: 'A1' });
    const timers = set.mock.results.flatMap(({ value }, index) => (set.mock.calls[index]?.[1] === idleMs ? [value as NodeJS.Timeout] : []));
    expect(timers.length).toBeGreaterThan(0);
    expect(timers.some((timer) => timer.hasRef())).toBe(false);
  });

  it('keep the data of a plugin', async () => {
    const parts = await ledgerPlugin();
    await open(parts);
    await writeFile(path.join(parts.data, 'kept'), 'x');
    await parts.servers.close('a');
    await writeFile(
      path.join(parts.root, 'plugin.json'),
      JSON.stringify({ $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json', name: 'billing', version: '2.0.0' }),
    );
    await open(parts);
    expect((await stat(path.join(parts.data, 'kept'))).size).toBe(1);
  });

  it('that fail take nothing else down, and are reported with the section', async () => {
    const parts = await ledgerPlugin({
      servers: {
        gone: { type: 'stdio', command: './bin/no-such-program' },
        down: { type: 'streamable-http', url: 'http://127.0.0.1:1/mcp' },
      },
      options: { allow: ['billing/ledger', 'billing/gone', 'billing/down'] },
    });
    const { tools, reports } = await open(parts);
    expect(tools.map(({ name }) => name)).toEqual(['ledger', 'erase']);
    expect(
      reports.map(({ code, message }) => `${code} ${/"(\w+)"/.exec(message)?.[1]} ${/section [\d.]+/.exec(message)?.[0]}`).sort(),
    ).toEqual(['plugin-server-failed down section 7.2.2', 'plugin-server-failed gone section 7.2.2']);
  });

  it('PLG-9: stay closed where a lock pins another command, another file, or nothing', async () => {
    const parts = await ledgerPlugin({ staleAfterMs: 0 });
    const reopened = async (now: SkillLock) => {
      const servers = pluginServers(parts.provider, { ...parts.options, lock: now });
      const found = await open({ ...parts, servers });
      await servers[Symbol.asyncDispose]();
      return found;
    };
    const pinned = await createSkillLock(parts.provider, { plugins: await pinnedPlugins(parts.provider) });
    expect((await reopened(parseSkillLock(serializeSkillLock(pinned)))).tools).toHaveLength(2);
    expect((await reopened({ lockVersion: 1, skills: pinned.skills })).reports[0]?.message).toContain('its plugin is not pinned');
    await writeFile(path.join(parts.root, 'bin/ledger.mjs'), '// changed');
    const changed = await reopened(pinned);
    expect([changed.tools, changed.reports[0]?.message]).toEqual([[], expect.stringContaining('not as pinned: bin/ledger.mjs')]);
    await writeFile(path.join(parts.root, 'mcp.json'), mcpOf({ ledger: { type: 'stdio', command: 'bash' } }));
    const other = await reopened(pinned);
    expect(other.tools).toEqual([]);
    expect(other.reports[0]?.message).toMatch(
      /"ledger" of plugin "billing" .* it is .*"command":"bash".* was pinned as .*"command":"node"/,
    );
    expect((await diffSkillLock(pinned, parts.provider, { plugins: await pinnedPlugins(parts.provider) })).text).toMatch(
      /^~ plugin billing: server ledger, bin\/ledger\.mjs, mcp\.json\n    server ledger was .*node.*, is .*bash/,
    );
  });

  it('start a program of the plugin, and none that became a link out of it', async () => {
    const parts = await ledgerPlugin({ servers: { own: { type: 'stdio', command: './bin/ledger' } }, options: { allow: ['billing/own'] } });
    await chmod(path.join(parts.root, 'bin/ledger'), 0o755);
    expect((await open(parts)).tools).toHaveLength(2);
    await parts.servers.close('a');

    const swapped = await ledgerPlugin({
      servers: { own: { type: 'stdio', command: './bin/ledger' } },
      options: { allow: ['billing/own'] },
    });
    await swapped.provider.listPlugins();
    await rm(path.join(swapped.root, 'bin/ledger'));
    await symlink('/bin/sh', path.join(swapped.root, 'bin/ledger'));
    const { tools, reports } = await open(swapped);
    expect(tools).toEqual([]);
    expect(reports[0]?.message).toContain('leads out of');
  });

  it('work in PLUGIN_DATA only where no link leads out of it', async () => {
    const servers = { own: { type: 'stdio', command: 'node', args: ['${PLUGIN_ROOT}/bin/ledger.mjs'], cwd: '${PLUGIN_DATA}/a/b' } };
    const parts = await ledgerPlugin({ servers, options: { allow: ['billing/own'] } });
    const { named } = await open(parts);
    expect((await named('ledger').call({ account: 'A' })).text).toContain(`"cwd":${JSON.stringify(path.join(parts.data, 'a/b'))}`);
    await parts.servers.close('a');
    await rm(path.join(parts.data, 'a'), { recursive: true });
    await mkdir(path.join(parts.data, '..', 'other'));
    await symlink('../other', path.join(parts.data, 'a'));
    const again = await ledgerPlugin({ servers, options: { allow: ['billing/own'] } });
    await mkdir(again.data, { recursive: true });
    await symlink('/tmp', path.join(again.data, 'a'));
    const { tools, reports } = await open(again);
    expect(tools).toEqual([]);
    expect(reports[0]?.message).toContain('its cwd leads out of');
  });

  it('over HTTP and SSE get their headers, which no redirect carries elsewhere', async () => {
    await using other = await startHttpServer();
    await using server = await startHttpServer(`${other.url}/mcp`);
    const headers = { 'X-Tenant': 'acme', Accept: 'text/html' };
    const parts = await ledgerPlugin({
      servers: {
        web: { type: 'streamable-http', url: `${server.url}/mcp`, headers },
        events: { type: 'sse', url: `${server.url}/sse`, headers },
        moved: { type: 'streamable-http', url: `${server.url}/moved`, headers },
      },
      options: { allow: ['billing/web', 'billing/events', 'billing/moved'] },
    });
    const { tools, reports } = await open(parts);
    expect(tools.map(({ server: of, name }) => `${of} ${name}`)).toEqual(['web balance', 'events balance']);
    for (const tool of tools) expect(await tool.call({ account: 'A3' })).toEqual({ text: 'A3: 7', isError: false });
    expect(reports.map(({ message }) => /"(\w+)"/.exec(message)?.[1])).toEqual(['moved']);
    expect(new Set(server.requests.map((sent) => sent['x-tenant']))).toEqual(new Set(['acme']));
    expect(server.requests.map(({ accept }) => accept)).toContain('application/json, text/event-stream');
    expect(other.requests).toEqual([]);
  });

  it('bring only the tools that the plugin declares, if it declares any', async () => {
    const declared = { extensions: { 'dev.repertoire': { permissions: { tools: { ledger: ['ledger'] } } } } };
    expect((await open(await ledgerPlugin({ manifest: declared }))).tools.map(({ name }) => name)).toEqual(['ledger']);
    const wrong = { extensions: { 'dev.repertoire': { permissions: ['all'] } } };
    expect((await open(await ledgerPlugin({ manifest: wrong }))).tools).toEqual([]);
  });

  it('get secrets by name, and are not started without', async () => {
    const manifest = { extensions: { 'dev.repertoire': { secrets: { ledger: { env: { LEDGER_KEY: 'ledger-key' } } } } } };
    const { tools, reports } = await open(await ledgerPlugin({ manifest }));
    expect(tools).toEqual([]);
    expect(reports[0]?.message).toContain('"ledger-key"');
    const { named } = await open(await ledgerPlugin({ manifest, options: { secret: (name, { server }) => `${name} of ${server}` } }));
    expect((await named('ledger').call({ account: 'A' })).text).toContain('"key":"ledger-key of ledger"');
  });

  it('are of one conversation each', async () => {
    const events: string[] = [];
    const parts = await ledgerPlugin({ options: { onEvent: ({ type }) => events.push(type) } });
    const [one, other] = [await open(parts, 'pay', 'a'), await open(parts, 'pay', 'b')];
    // The tools are known, so the one of the second conversation is started by its first call.
    expect(events).toEqual(['server-opened']);
    await parts.servers.close('a');
    await expect(one.named('ledger').call({ account: 'A' })).rejects.toThrow();
    expect((await other.named('ledger').call({ account: 'B' })).text).toMatch(/^B /);
  });

  it('refuses options that cannot work', async () => {
    await expect(ledgerPlugin({ options: { allow: ['billing'] } })).rejects.toMatchObject({ code: 'invalid-options' });
    await expect(ledgerPlugin({ options: { alow: [] } as never })).rejects.toMatchObject({ code: 'invalid-options' });
  });
});
