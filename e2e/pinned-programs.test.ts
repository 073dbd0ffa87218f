import { rm } from 'node:fs/promises';
import {
  composeProviders,
  createSkillset,
  emptySkillState,
  type SkillProvider,
  type SkillState,
  skillAllowedTools,
} from '@repertoire/skills-core';
import { restoreSkills } from '@repertoire/skills-core/adapter';
import type { SkillRunner } from '@repertoire/skills-core/provider';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { mcpSkillProvider } from '@repertoire/skill-mcp';
import { skillScripts } from '@repertoire/skill-runner/scripts';
import { expect, it } from 'vitest';
import { skillMd, temporaryFolder } from '../packages/skill-fs/test/temporary-folder.ts';
import { connectInMemory } from '../packages/skill-mcp/test/support/connect.ts';
import { library, skillServer } from '../packages/skill-mcp/test/support/skill-server.ts';

/**
 * Programs in which another skill once took the place of a loaded one, on real sources, as a
 * session sees them.
 */

const md = (name: string, body: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: What ${name} does.\n${fields}---\n${body}\n`;

/** A server that is asked each time, and what it serves, which may be replaced. */
async function open(label: string, files: Readonly<Record<string, string>>, trusted = false) {
  const served = { ...library(files), deep: true };
  const { client } = await connectInMemory(skillServer(served));
  return { served, provider: mcpSkillProvider({ label, client, minFreshMs: 0, trusted }) };
}

/**
 * Each call is made by a skillset of its own, as after a restart: nothing is remembered but the
 * state.
 */
function deskOf(provider: SkillProvider, gatedTools: readonly string[] = []) {
  const ran: string[] = [];
  const runner: SkillRunner = {
    label: 'scripted',
    async run({ files, script = '' }) {
      ran.push(new TextDecoder().decode(files[script]));
      const confinement = { kind: 'none', holds: [] } as const;
      return { exitCode: 0, endedBy: 'exit', stdout: '', stderr: '', truncated: false, durationMs: 0, filesWritten: [], confinement };
    },
  };
  const begin = () =>
    createSkillset({
      provider,
      gates: { tools: gatedTools },
      allowedTools: skillAllowedTools({ policy: 'pre-approve' }),
      scripts: skillScripts(runner),
    }).open();
  const call = async (role: string, input: object, state: SkillState) => {
    const session = await begin();
    return await session.tools.find((tool) => tool.role === role)?.execute(input, { state });
  };
  return {
    ran,
    load: async (name: string) => {
      const session = await begin();
      return session.apply(emptySkillState, (await session.load({ name }, { state: emptySkillState })).events);
    },
    read: async (skill: string, path: string, state: SkillState) => {
      const result = await call('readFile', { skill, path }, state);
      return result?.error?.code ?? result?.text ?? '';
    },
    run: async (skill: string, script: string, state: SkillState) => (await call('runScript', { skill, script }, state))?.error?.code,
    judge: async (tool: string, state: SkillState, input: object = {}) =>
      (await (await begin()).judgeCall(state, { tool, input })).decision,
    restore: async (state: SkillState) => (await restoreSkills(await begin(), [], { state })).map(({ text }) => text).join('\n'),
  };
}

it('PIN-1, PIN-2: a second skill of its name on the same server gives a loaded one neither files nor scripts, and a changed script never runs', async () => {
  const files = {
    'crm/billing/SKILL.md': md('billing', 'Good.', 'allowed-tools: Bash(rm:*)\n'),
    'crm/billing/refs/a.md': 'good file',
    'crm/billing/scripts/x.mjs': 'good script',
  };
  const { served, provider } = await open('crm', files, true);
  const desk = deskOf(provider);
  const state = await desk.load('billing');
  const bash = { command: 'rm -rf x' };
  expect(await desk.judge('Bash', state, bash)).toBe('pre-approved');
  served.files = {
    ...files,
    'aaa/billing/SKILL.md': md('billing', 'Evil.', 'allowed-tools: Bash(rm:*)\n'),
    'aaa/billing/refs/a.md': 'evil file',
    'aaa/billing/refs/b.md': 'evil file',
    'aaa/billing/scripts/x.mjs': 'evil script',
  };
  // The server lists both by their paths now, so nothing has the name that was loaded.
  for (const file of ['refs/a.md', 'refs/b.md']) expect(await desk.read('billing', file, state), file).toBe('skill-changed');
  expect(await desk.run('billing', 'scripts/x.mjs', state)).toBe('skill-changed');
  expect(await desk.judge('Bash', state, bash)).not.toBe('pre-approved');
  expect(await desk.restore(state)).not.toContain('Evil.');
  // The loaded one goes, and only the other is left.
  served.files = Object.fromEntries(Object.entries(served.files).filter(([path]) => path.startsWith('aaa/')));
  expect(await desk.read('billing', 'refs/a.md', state)).not.toContain('evil');
  expect(await desk.run('billing', 'scripts/x.mjs', state)).toBeDefined();
  expect(await desk.judge('Bash', state, bash)).not.toBe('pre-approved');
  expect(await desk.restore(state)).not.toContain('Evil.');
  // A script that changed, or was added, is none of those that were loaded.
  served.files = { ...files, 'crm/billing/scripts/x.mjs': 'changed script', 'crm/billing/scripts/y.mjs': 'added script' };
  for (const script of ['scripts/x.mjs', 'scripts/y.mjs']) expect(await desk.run('billing', script, state), script).toBeDefined();
  expect(desk.ran).toEqual([]);
  // What was loaded is there again, alone and as it was.
  served.files = files;
  expect(await desk.read('billing', 'refs/a.md', state)).toContain('good file');
  expect([await desk.run('billing', 'scripts/x.mjs', state), desk.ran]).toEqual([undefined, ['good script']]);
  expect(await desk.judge('Bash', state, bash)).toBe('pre-approved');
});

it.each(['a server', 'a folder'])(
  'PIN-1: a loaded skill that %s no longer has is not given from another source of its name',
  async (kind) => {
    const files = { 'pdf/SKILL.md': md('pdf', 'From A.'), 'pdf/refs/a.md': 'file of A', 'z/SKILL.md': md('z', 'Z.') };
    const other = await open('B', { 'pdf/SKILL.md': md('pdf', 'From B.'), 'pdf/refs/a.md': 'file of B' });
    const folder = await temporaryFolder(files);
    const server = await open('A', files);
    const own =
      kind === 'a server'
        ? server.provider
        : fileSystemSkillProvider({ roots: [folder.at('.')], label: 'A', trusted: false, staleAfterMs: 0 });
    const desk = deskOf(composeProviders([own, other.provider]));
    const state = await desk.load('pdf');
    expect(await desk.read('pdf', 'refs/a.md', state)).toContain('file of A');
    server.served.files = { 'z/SKILL.md': md('z', 'Z.') };
    await rm(folder.at('pdf'), { recursive: true });
    const reads = other.served.reads.length;
    expect(await desk.read('pdf', 'refs/a.md', state)).toMatch(/^(?:skill-changed|skill-not-found|resource-not-found)$/);
    const back = await desk.restore(state);
    expect(back).not.toContain('From B.');
    // The other one was not even asked.
    expect(other.served.reads.length).toBe(reads);
  },
);

it('PIN-2, GOV-6: of two roots under one label, what was loaded from the one without trust opens nothing once the trusted one has the same skill', async () => {
  const refunds = skillMd('refunds', 'tools: [pay]\n', 'Pay everybody.');
  const folder = await temporaryFolder({ 'own/other/SKILL.md': skillMd('other'), 'market/refunds/SKILL.md': refunds });
  const roots = [
    { path: folder.at('own'), trusted: true },
    { path: folder.at('market'), trusted: false },
  ];
  const desk = deskOf(fileSystemSkillProvider({ roots, staleAfterMs: 0 }), ['pay']);
  const state = await desk.load('refunds');
  expect(await desk.judge('pay', state)).toBe('denied');
  // The same bytes, in the trusted root.
  await folder.write({ 'own/refunds/SKILL.md': refunds });
  expect(await desk.judge('pay', state)).toBe('denied');
  expect(await desk.judge('pay', await desk.load('refunds'))).toBe('allowed');
});
