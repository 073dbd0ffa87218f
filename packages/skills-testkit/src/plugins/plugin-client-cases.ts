import { assert, assertEqual } from '../conformance/assert.ts';
import { manifestCases } from './manifest-cases.ts';
import type { PluginClient, PluginClientAnswer } from './plugin-client.ts';
import type { PluginClientCase, PluginExpectation } from './plugin-client-case.ts';
import { serverCases } from './server-cases.ts';

/** One demand of Agent Plugins 1.0.0, for any test runner. */
export interface PluginClientTest {
  readonly id: string;
  /** Id, section of the specification and sentence, for reports. */
  readonly title: string;
  /** Rejects with an error that says what is wrong with the client. */
  run(): Promise<void>;
}

/**
 * What Agent Plugins 1.0.0 demands of a client: cases for any test runner. A client is given the
 * files of each, and answers what it found.
 *
 * @example With the test runner of Node
 * ```ts
 * import { pluginClientCases, type PluginClient } from '@repertoire/skills-testkit/plugins';
 *
 * export function register(test: (title: string, run: () => Promise<void>) => unknown, client: PluginClient): void {
 *   for (const { title, run } of pluginClientCases(client)) test(title, run);
 * }
 * ```
 */
export function pluginClientCases(client: PluginClient): PluginClientTest[] {
  return [...manifestCases, ...serverCases].map((one) => ({
    id: one.id,
    title: `${one.id} (${one.section}): ${one.sentence}`,
    run: () => checkCase(client, one),
  }));
}

async function checkCase(client: PluginClient, { fixture, expect, sentence }: PluginClientCase): Promise<void> {
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
