import {
  createSkillset,
  emptySkillState,
  skillAllowedTools,
  skillApprovals,
  skillDiscovery,
  skillHooks,
  SkillRegistry,
  SkillError,
  type SkillDefinition,
  type SkillProvider,
  type SkillSession,
  type SkillState,
} from '@repertoire/skills-core';
import type { SkillListing } from '@repertoire/skills-core/provider';
import { restoreSkills, renewSkills } from '@repertoire/skills-core/adapter';
import { tanstackSkillSource } from '@repertoire/bridges/tanstack';
import { skillScripts } from '@repertoire/skill-runner/scripts';
import { createSkillSearch } from '@repertoire/skill-search';
import { skillWorkflows } from '@repertoire/skill-workflow';

/** What stands in the way of a use; the first is nothing. */
export const conditions = [
  'in force',
  'another name is claimed',
  'not selected',
  'not permitted',
  'a hook refuses',
  'not approved',
  'trusted no more',
  'another content',
  'gone',
  'source away',
  'listing too old',
] as const;
export type Condition = (typeof conditions)[number];

const skill = (mark: string): SkillDefinition => ({
  name: 'ops',
  description: 'Runs things.',
  body: `Body ${mark}`,
  allowedTools: ['bash'],
  tools: ['pay'],
  model: 'costly',
  steps: [{ name: 'note', tool: 'note', input: {} }],
  resources: { 'limits.md': `File ${mark}`, 'scripts/run.mjs': `// Script ${mark}` },
});
const other: SkillDefinition = { name: 'faq', description: 'Answers.', body: 'Open.' };

/** One conversation that loaded a skill, and everything that can be done with it. */
export interface Situation {
  readonly state: SkillState;
  /** The name under which the state has it. */
  readonly name: string;
  open(): Promise<SkillSession>;
  /** What a runner or a workflow got in the last call. */
  ran(): string;
  bridge(): ReturnType<typeof tanstackSkillSource>;
}

/** @param restrict whether the host has `allowed-tools` restrict, so that the model calls nothing else */
export async function situation(condition: Condition, restrict: boolean, renews: boolean): Promise<Situation> {
  let [mark, isListed, isTrusted, isAway, may, isSelected, refuses] = ['V1', true, true, false, true, true, false] as [
    string,
    boolean,
    boolean,
    boolean,
    boolean,
    boolean,
    boolean,
  ];
  let unconfirmed: SkillListing['unconfirmed'];
  let ran = '';
  const registry = () => new SkillRegistry({ skills: isListed ? [skill(mark), other] : [other], label: 'own', trusted: isTrusted });
  let known = { key: '', registry: registry() };
  const source = (): SkillRegistry => {
    if (isAway) throw new SkillError('source-unavailable', '"own" is away.', { source: 'own' });
    const key = JSON.stringify([mark, isListed, isTrusted]);
    if (key !== known.key) known = { key, registry: registry() };
    return known.registry;
  };
  const provider: SkillProvider = {
    label: 'own',
    listSkills: async (options) => {
      if (isAway) return { skills: [], diagnostics: [], complete: false };
      const listing = await source().listSkills(options);
      return unconfirmed === undefined ? listing : { ...listing, unconfirmed };
    },
    getSkill: async (...given) => await source().getSkill(...given),
    readResource: async (...given) => await source().readResource(...given),
    contentOf: async (...given) => await source().contentOf?.(...given),
  };
  const runner = {
    label: 'scripted',
    async run({ files }: { readonly files: Readonly<Record<string, Uint8Array>> }) {
      ran = Object.values(files)
        .map((bytes) => new TextDecoder().decode(bytes))
        .join('\n');
      const confinement = { kind: 'none', holds: [] } as const;
      return {
        exitCode: 0,
        endedBy: 'exit',
        stdout: '',
        stderr: '',
        truncated: false,
        durationMs: 0,
        filesWritten: [],
        confinement,
      } as const;
    },
  };
  const skillset = createSkillset({
    provider,
    gates: { tools: ['pay'] },
    allowedTools: skillAllowedTools({ policy: restrict ? 'restrict' : 'pre-approve' }),
    approvals: skillApprovals({
      needs: () => (condition === 'not approved' ? ['load', 'tools', 'allowed-tools', 'scripts', 'model', 'mcp-servers'] : []),
    }),
    audience: {
      select: ({ name }) => isSelected || name !== 'ops',
      permissions: ({ action, skill: asked }) => action === 'list' || may || asked.name !== 'ops',
    },
    hooks: skillHooks({
      beforeLoad: () => (refuses ? { refuse: 'no' } : undefined),
      beforeRead: () => (refuses ? { refuse: 'no' } : undefined),
    }),
    surface: { tools: 'full', unload: true },
    conversation: { contentChange: renews ? 'renew' : 'close' },
    discovery: skillDiscovery(createSkillSearch(provider), { mode: 'beside' }),
    scripts: skillScripts(runner),
    workflows: skillWorkflows({ tools: { note: () => ((ran = 'Workflow V1'), {}) } }),
    onDiagnostic: 'silent',
  });
  const session = await skillset.open();
  const asked = await session.load({ name: 'ops' }, { state: emptySkillState, callId: 'one' });
  if (asked.question !== undefined) await session.approvals?.answer(asked.question.id, { answer: 'conversation' });
  const { events } = asked.question === undefined ? asked : await session.load({ name: 'ops' }, { state: emptySkillState, callId: 'one' });
  let state = session.apply(emptySkillState, events);
  if (condition === 'another name is claimed') state = { loaded: { faq: state.loaded['ops']! } };
  if (condition === 'not selected') isSelected = false;
  if (condition === 'not permitted') may = false;
  if (condition === 'a hook refuses') refuses = true;
  if (condition === 'not approved') {
    const entry = state.loaded['ops']!;
    const { approval: _gone, ...rest } = entry;
    state = { loaded: { ops: rest } };
  }
  if (condition === 'trusted no more') isTrusted = false;
  if (condition === 'another content') mark = 'V2';
  if (condition === 'gone') isListed = false;
  if (condition === 'source away') isAway = true;
  if (condition === 'listing too old') unconfirmed = { own: Date.now() - 3_600_000 };
  return {
    state,
    name: condition === 'another name is claimed' ? 'faq' : 'ops',
    open: () => skillset.open(),
    ran: () => ran,
    bridge: () => tanstackSkillSource(skillset),
  };
}

const call = async ({ state, open }: Situation, role: string, input: object, from: SkillState = state): Promise<string> =>
  (await (await open()).tools.find((tool) => tool.role === role)?.execute(input, { state: from, callId: 'two' }))?.text ?? '';
const cut = ({ loaded }: SkillState): SkillState => ({
  loaded: Object.fromEntries(Object.entries(loaded).map(([name, entry]) => [name, { ...entry, inContext: false }])),
});
const judge = async ({ state, open }: Situation, tool: string) =>
  (await (await open()).judgeCall(state, { tool, input: {}, id: 'two' })).decision;

/** Every use of a loaded skill, as what came of it: a text with a mark, or a word. */
export const uses: Readonly<Record<string, (its: Situation) => Promise<string>>> = {
  'its instructions, restored': async (its) =>
    JSON.stringify(await restoreSkills(await its.open(), [{ role: 'user', entries: [] }], { state: cut(its.state) })),
  'a file': async (its) => await call(its, 'loadResource', { skill: its.name, path: 'limits.md' }),
  'the list of files': async (its) => ((await call(its, 'listResources', { skill: its.name })).includes('limits.md') ? 'yes' : 'no'),
  'a script': async (its) => (await call(its, 'runScript', { skill: its.name, script: 'scripts/run.mjs' }), its.ran()),
  'its workflow': async (its) => (await call(its, 'runWorkflow', { skill: its.name }), its.ran()),
  'a gate': async (its) => ((await judge(its, 'pay')) === 'allowed' ? 'open' : 'closed'),
  'a pre-approval': async (its) => ((await judge(its, 'bash')) === 'pre-approved' ? 'yes' : 'no'),
  'a restriction': async (its) => ((await judge(its, 'write')) === 'denied' ? 'holds' : 'ends'),
  'its model': async (its) => (await (await its.open()).model(its.state)) ?? 'no',
  'a tool that it brings': async (its) => {
    const session = (await its.open()).withToolsOfSkills(new Map([['ops', ['forecast']]]));
    return (await session.judgeCall(its.state, { tool: 'forecast', input: {} })).decision === 'allowed' ? 'open' : 'closed';
  },
  'renewal by the host': async (its) => {
    const renewed = await renewSkills(await its.open(), its.state);
    return renewed.length === 0 ? 'nothing' : renewed.map(({ text }) => text).join('');
  },
  'not loaded: a load': async (its) => await call(its, 'load', { name: 'ops' }, emptySkillState),
  'not loaded: a file': async (its) => await call(its, 'loadResource', { skill: 'ops', path: 'limits.md' }, emptySkillState),
  'not loaded: the list of files': async (its) =>
    (await call(its, 'listResources', { skill: 'ops' }, emptySkillState)).includes('limits.md') ? 'yes' : 'no',
  'not loaded: words of its instructions in a search': async (its) =>
    (await call(its, 'search', { query: 'body' }, emptySkillState)).includes('body (') ? 'yes' : 'no',
  'not loaded: a bridge, instructions': async (its) => await its.bridge().load('ops').catch(String),
  'not loaded: a bridge, a file': async (its) => String(await its.bridge().readResource('ops', 'limits.md').catch(String)),
};
