import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSkillset, type SkillDiagnostic } from '@repertoire/skills-core';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryPluginFiles, pluginProvider, type PluginRoot } from '../src/index.ts';
import { pluginFolders, stdioServers } from '../src/node.ts';
import { pluginServers } from '../src/servers.ts';
import { startHttpServer } from './support/mcp-servers.ts';
import { badPlugins, outsideFiles } from './table/bad-plugins.ts';
import { frameworks, type Played } from './table/frameworks.ts';
import { goodPlugins } from './table/good-plugins.ts';
import type { PluginRow, RowFile } from './table/plugin-row.ts';

/** Titles and expectations do not depend on where the server is. */
const rows = rowsOf('http://127.0.0.1:1');
const plugins = new Map<string, { readonly folder: string; readonly data: string }>();
const played = new Map<string, Played & { readonly diagnostics: readonly SkillDiagnostic[] }>();

let base = '';
let http: Awaited<ReturnType<typeof startHttpServer>>;
let elsewhere: Awaited<ReturnType<typeof startHttpServer>>;
let opened = 0;

beforeAll(async () => {
  elsewhere = await startHttpServer();
  http = await startHttpServer(`${elsewhere.url}/mcp/stolen`);
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'plugin-table-')));
  // Named like a variable, of which nothing must come when it is put into a text.
  const data = path.join(base, 'data-${PLUGIN_ROOT}');
  const placed = rowsOf(http.url);
  await writeFiles(path.join(base, 'outside'), outsideFiles);
  for (const row of placed) {
    const folder = path.join(base, row.place ?? 'folder', row.name);
    const own = path.join(data, `${nameOf(row)}-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`);
    plugins.set(row.name, { folder, data: own });
    if (!inMemory(row)) await writeFiles(folder, row.files);
    if (row.data !== undefined) await writeFiles(own, row.data);
  }
  const roots: readonly PluginRoot[] = [
    ...pluginFolders([path.join(base, 'folder')]),
    ...pluginFolders([path.join(base, 'untrusted')], { trusted: false }),
    { name: 'bundle', trusted: true, files: memoryPluginFiles(inMemoryFiles(placed, 'bundle')) },
    { name: 'archive', trusted: true, files: memoryPluginFiles(unzipSync(zipSync(asBytes(inMemoryFiles(placed, 'archive'))))) },
  ];
  const environment = { PATH: process.env['PATH'] ?? '' };
  const tools = placed.flatMap((row) => Object.keys(row.tools ?? {}));
  const skills = placed.flatMap((row) => row.skills ?? [row.name]);

  for (const [framework, play] of Object.entries(frameworks)) {
    const diagnostics: SkillDiagnostic[] = [];
    const provider = pluginProvider({ roots });
    await using servers = pluginServers(provider, {
      allow: placed.flatMap(allowedOf),
      stdio: stdioServers({ data, environment }),
      secret: (name) => (name === 'told' ? 'the secret told' : undefined),
      onEvent: ({ type }) => void (type === 'server-opened' && (opened += 1)),
    });
    const skillset = createSkillset({ provider, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    // Skills of plugins that are refused are asked for as well.
    const refused = placed.filter((row) => row.skills?.length === 0).map(({ name }) => name);
    const answer = await play({ skillset, servers, skills: [...skills, ...refused, 'stolen', 'mismatch'], tools });
    played.set(framework, { ...answer, diagnostics });
  }
});

afterAll(async () => {
  await http[Symbol.asyncDispose]();
  await elsewhere[Symbol.asyncDispose]();
  await rm(base, { recursive: true });
});

describe.each(Object.keys(frameworks))('PLG-5: plugins in %s', (framework) => {
  it.each(rows.map((row) => [row.name, row.about, row] as const))('%s, which %s', (name, _about, row) => {
    const { answers, offered, diagnostics } = played.get(framework)!;
    const { folder, data } = plugins.get(name)!;
    for (const skill of row.skills ?? [name]) expect(answers.get(skill)).toContain(`Do ${skill}.`);
    if (row.skills?.length === 0 && name !== 'zz-shadow') expect(answers.get(name)).toMatch(/no skill|not found/i);
    for (const [tool, part] of Object.entries(row.tools ?? {})) {
      expect(offered).toContain(tool);
      expect(answers.get(tool)).toContain(part.replaceAll('{root}', folder).replaceAll('{data}', data));
    }
    expect([...new Set(diagnostics.filter((one) => isAbout(one, row)).map(({ code }) => code))]).toEqual(row.reports ?? []);
  });

  it('have the tools of good plugins, and no others', () => {
    const { answers, offered } = played.get(framework)!;
    const wanted = rows.flatMap((row) => Object.keys(row.tools ?? {}));
    expect(offered.filter((tool) => tool.startsWith('ask-')).sort()).toEqual([...wanted].sort());
    for (const skill of ['stolen', 'mismatch']) expect(answers.get(skill)).not.toContain('Do ');
  });
});

describe('PLG-4: plugins in a table', () => {
  it('are at least forty, and open no server that is not theirs', () => {
    expect(rows.length).toBeGreaterThanOrEqual(40);
    expect(elsewhere.requests).toEqual([]);
    // Each once to call its tool, and in AI SDK once to list it.
    const servers = rows.flatMap((row) => Object.keys(row.tools ?? {})).length;
    expect(opened).toBeGreaterThanOrEqual(servers * 4);
  });
});

function rowsOf(url: string): readonly PluginRow[] {
  return [...goodPlugins({ url }), ...badPlugins({ url })];
}

function inMemory({ place }: PluginRow): boolean {
  return place === 'bundle' || place === 'archive';
}

function inMemoryFiles(all: readonly PluginRow[], place: PluginRow['place']): Record<string, string> {
  const files = all
    .filter((row) => row.place === place)
    .flatMap((row) => Object.entries(row.files).map(([file, text]) => [`${row.name}/${file}`, text]));
  return Object.fromEntries(files) as Record<string, string>;
}

function asBytes(files: Readonly<Record<string, string>>): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [file, strToU8(text)]));
}

function nameOf({ name, files }: PluginRow): string {
  return /"name":"([a-z.-]+)"/.exec(String(files['plugin.json']))?.[1] ?? name;
}

/** Every server that the row names, as far as anybody could read that. */
function allowedOf(row: PluginRow): string[] {
  const names = [...String(row.files['mcp.json']).matchAll(/"(\w+)":\{"type"/g)].map((match) => match[1]!);
  return [...new Set(['own', ...names])].filter((name) => row.notAllowed?.includes(name) !== true).map((name) => `${nameOf(row)}/${name}`);
}

function isAbout({ path: place = '', message, skill = '' }: SkillDiagnostic, row: PluginRow): boolean {
  const name = nameOf(row);
  return (
    `${place}/`.includes(`/${row.name}/`) ||
    (row.name !== 'zz-shadow' && place.startsWith(`${name}/`)) ||
    skill.startsWith(`${name}:`) ||
    (row.name === name && message.includes(`plugin ${JSON.stringify(name)}`))
  );
}

async function writeFiles(folder: string, files: Readonly<Record<string, RowFile>>): Promise<void> {
  for (const [inner, content] of Object.entries(files)) {
    const file = path.join(folder, inner);
    await mkdir(path.dirname(file), { recursive: true });
    if (typeof content === 'string') await writeFile(file, content);
    else await symlink(content.link, file);
    if (inner.startsWith('bin/')) await chmod(file, 0o755);
  }
}
