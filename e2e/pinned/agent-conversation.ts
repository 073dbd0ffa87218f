import { createSkillset, SkillError, type Skillset, type SkillsetOptions } from '@repertoire/skills-core';
import type { SkillRunner } from '@repertoire/skills-core/provider';
import { skillScripts } from '@repertoire/skill-runner/scripts';
import type { PinnedConversation } from '../../packages/skills-core/test/helpers/pinned-properties.ts';
import { servedBy } from '../../packages/skills-core/test/helpers/served-by.ts';
import { marksIn, worldNames, type World } from '../../packages/skills-core/test/helpers/pinned-worlds.ts';

/** A call that the scripted model makes. */
export type PinnedCall = readonly [tool: string, input: Readonly<Record<string, string>>];

/** One request to an agent. */
export interface PinnedRequest {
  readonly skillset: Skillset;
  /** What it was made of, for hosts that open their own. */
  readonly options: SkillsetOptions;
  /** What the model calls in its first answer, all at once, before it says that it is done. */
  readonly calls: readonly PinnedCall[];
  /** The tools of the host, by name. They tell when they run. */
  readonly tools: Readonly<Record<string, () => string>>;
  /** Runs a skill in an agent of its own. */
  fork(fork: { readonly prompt: string }): Promise<string>;
}

/** What came of a request. */
export interface PinnedAnswer {
  /** The results of the calls, as the model read them; empty where there is none. */
  readonly results: readonly string[];
  /** Everything that the model was given, of all its calls. */
  readonly shown: string;
}

/** An agent of a framework, and what is stored of its conversation. */
export interface PinnedAgent {
  /** Rejects with a `SkillError` if the sources do not answer. */
  ask(request: PinnedRequest): Promise<PinnedAnswer>;
  /** All messages leave the context. */
  cut(): Promise<void>;
  /** Another process goes on: what is stored is JSON. */
  resume(): Promise<void>;
  /** A client says that what is loaded under a name has another one. @default nobody can say so */
  claim?(from: string, to: string): Promise<void>;
  readonly isMessagesOnly?: boolean;
}

/**
 * A conversation of such an agent: each step is a request of its own, to an agent that is made for
 * it.
 *
 * @param begin a new agent in the same conversation, in which nothing is loaded
 */
export function agentConversation(world: World, begin: () => PinnedAgent): PinnedConversation {
  const agent = begin();
  let [ran, shown, forked] = ['', '', ''];
  let paid = new Set<string>();
  const runner: SkillRunner = {
    label: 'scripted',
    async run({ files }) {
      ran = Object.values(files)
        .map((bytes) => new TextDecoder().decode(bytes))
        .join('\n');
      const confinement = { kind: 'none', holds: [] } as const;
      return { exitCode: 0, endedBy: 'exit', stdout: '', stderr: '', truncated: false, durationMs: 0, filesWritten: [], confinement };
    },
  };
  const gatedTools = worldNames.map((name) => `pay_${name}`);
  const options = {
    ...world.options,
    provider: world.provider,
    gates: { tools: gatedTools },
    surface: { unload: true },
    scripts: skillScripts(runner),
  };
  const create = () => createSkillset(options);
  let skillset = create();
  const fork: PinnedRequest['fork'] = async ({ prompt }) => {
    forked += prompt;
    return prompt;
  };
  const answerOf = async (asked: PinnedAgent, request: Pick<PinnedRequest, 'skillset' | 'calls'>): Promise<PinnedAnswer> => {
    const tools = Object.fromEntries(gatedTools.map((name) => [name, () => (paid.add(name), 'paid')]));
    try {
      return await asked.ask({ ...request, options, tools, fork });
    } catch (thrown) {
      if (SkillError.isInstance(thrown) || SkillError.isInstance((thrown as Error).cause)) return { results: [], shown: '' };
      throw thrown;
    }
  };
  const askAll = async (...calls: PinnedCall[]): Promise<readonly string[]> => {
    [shown, forked] = ['', ''];
    paid = new Set();
    const answer = await answerOf(agent, { skillset, calls });
    ({ shown } = answer);
    return answer.results;
  };
  const ask = async (call: PinnedCall): Promise<string> => (await askAll(call))[0] ?? '';
  return {
    isMessagesOnly: agent.isMessagesOnly,
    get shown() {
      return shown;
    },
    get forked() {
      return forked;
    },
    load: (name) => ask(['load_skill', { name }]),
    async loadAtOnce(name) {
      const load: PinnedCall = ['load_skill', { name }];
      const own = askAll(load, load);
      const other = answerOf(begin(), { skillset: create(), calls: [load, load] });
      return { own: await own, other: (await other).results };
    },
    unload: async (name) => (await ask(['unload_skill', { name }])).startsWith('<skill_unloaded'),
    read: (name, path) => ask(['read_skill_file', { skill: name, path }]),
    async run(name) {
      ran = '';
      await ask(['run_skill_script', { skill: name, script: 'scripts/run.mjs' }]);
      return ran;
    },
    async pay(name) {
      await ask([`pay_${name}`, {}]);
      return paid.has(`pay_${name}`);
    },
    async restore() {
      await agent.cut();
      await askAll();
      return marksIn(shown).map((text) => ({ name: text.split('/')[1] ?? '', text }));
    },
    resume: () => agent.resume(),
    ...(agent.claim !== undefined && { claim: (from, to) => agent.claim!(from, to) }),
    bridge: async (name) => await servedBy(skillset, name),
    async forget() {
      skillset = create();
    },
  };
}

/** The text of a load, as a client claims it to be of a skill of another name. */
export function claimedText(text: string, from: string, to: string): string {
  return text.replaceAll(`<skill_content name="${from}"`, `<skill_content name="${to}"`);
}

/** What is stored of a conversation, as a client claims it: what is loaded has another name. */
export function renamedIn<Stored>(stored: Stored, from: string, to: string): Stored {
  const text = JSON.stringify(stored)
    .replaceAll(`"${from}":{"source"`, `"${to}":{"source"`)
    .replaceAll(`<skill_content name=\\"${from}\\"`, `<skill_content name=\\"${to}\\"`);
  return JSON.parse(text) as Stored;
}
