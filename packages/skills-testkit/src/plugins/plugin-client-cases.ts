import { assert, assertEqual } from '../conformance/assert.ts';
import { manifestCases } from './manifest-cases.ts';
import type { PluginClient, PluginClientAnswer } from './plugin-client.ts';
import type { PluginClientCase, PluginExpectation } from './plugin-client-case.ts';
import { serverCases } from './server-cases.ts';

/**
 * What Agent Plugins 1.0.0 demands of clients, as data: files, and what has to come of them.
 *
 * @example
 * ```ts
 * import { checkPluginClient, pluginClientCases, type PluginClient } from '@repertoire/skills-testkit/plugins';
 *
 * export async function broken(client: PluginClient): Promise<string[]> {
 *   const problems: string[] = [];
 *   for (const one of pluginClientCases) await checkPluginClient(client, one).catch((error) => problems.push(`${one.id}: ${error.message}`));
 *   return problems;
 * }
 * ```
 */
export const pluginClientCases: readonly PluginClientCase[] = [...manifestCases, ...serverCases];

/** Runs one case against a client. Rejects with an error that says what is wrong. */
export async function checkPluginClient(client: PluginClient, { fixture, expect, sentence }: PluginClientCase): Promise<void> {
  const answer = await client(fixture);
  const of = `of a client that ${sentence}`;
  assertEqual(answer.loaded, expect.loaded, `loaded, ${of}`);
  if (expect.skills !== undefined) assertEqual([...answer.skills].sort(), [...expect.skills].sort(), `skills ${of}`);
  if (expect.servers !== undefined) assertEqual(Object.keys(answer.servers).sort(), [...expect.servers].sort(), `servers ${of}`);
  for (const word of expect.reports ?? []) {
    const isTold = answer.reported.some((text) => text.toLowerCase().includes(word.toLowerCase()));
    assert(isTold, `No report has the word ${JSON.stringify(word)}, ${of}. Reports: ${JSON.stringify(answer.reported)}`);
  }
  checkLaunches(answer, expect, of);
  checkHeaders(answer, expect, of);
}

function checkLaunches({ servers }: PluginClientAnswer, { launch = {} }: PluginExpectation, of: string): void {
  for (const [name, wanted] of Object.entries(launch)) {
    const server = servers[name];
    assert(server?.type === 'stdio', `There is no stdio server ${name}, ${of}.`);
    const { PLUGIN_ROOT: root = '', PLUGIN_DATA: data = '' } = server.env;
    assert(root !== '' && data !== '' && root !== data, `PLUGIN_ROOT and PLUGIN_DATA of ${name} are not two folders, ${of}.`);
    const real = (text: string): string => text.replaceAll('{root}', root).replaceAll('{data}', data);
    if (wanted.command !== undefined) assertEqual(server.command, real(wanted.command), `command ${of}`);
    if (wanted.args !== undefined) assertEqual([...server.args], wanted.args.map(real), `args ${of}`);
    if (wanted.cwd !== undefined) assertEqual(server.cwd, real(wanted.cwd), `cwd ${of}`);
    for (const [variable, value] of Object.entries(wanted.env ?? {})) assertEqual(server.env[variable], real(value), `${variable} ${of}`);
  }
}

function checkHeaders({ servers }: PluginClientAnswer, { headers = [] }: PluginExpectation, of: string): void {
  for (const { server: name, target, own = {}, sent } of headers) {
    const server = servers[name];
    assert(server !== undefined && server.type !== 'stdio', `There is no remote server ${name}, ${of}.`);
    const found = server.headersFor(target, own);
    for (const [header, value] of Object.entries(sent)) assertEqual(found[header] ?? null, value, `header ${header} to ${target}, ${of}`);
  }
}
