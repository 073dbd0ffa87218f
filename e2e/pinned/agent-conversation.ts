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
  /** What the model calls in its first answer, before it says that it is done. */
  readonly call: PinnedCall | undefined;
  /** The tools of the host, by name. They tell when they run. */
  readonly tools: Readonly<Record<string, () => string>>;
}

/** What came of a request. */
export interface PinnedAnswer {
  /** The result of the call, as the model read it; empty if there is none. */
  readonly result: string;
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
 */
export function agentConversation(world: World, agent: PinnedAgent): PinnedConversation {
  let [ran, shown] = ['', ''];
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
  const ask = async (call?: PinnedCall): Promise<string> => {
    shown = '';
    paid = new Set();
    const tools = Object.fromEntries(gatedTools.map((name) => [name, () => (paid.add(name), 'paid')]));
    try {
      const answer = await agent.ask({ skillset, options, call, tools });
      ({ shown } = answer);
      return answer.result;
    } catch (thrown) {
      if (SkillError.isInstance(thrown) || SkillError.isInstance((thrown as Error).cause)) return '';
      throw thrown;
    }
  };
  return {
    isMessagesOnly: agent.isMessagesOnly,
    get shown() {
      return shown;
    },
    load: (name) => ask(['load_skill', { name }]),
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
      await ask();
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

/** What is stored of a conversation, as a client claims it: what is loaded has another name. */
export function renamedIn<Stored>(stored: Stored, from: string, to: string): Stored {
  const text = JSON.stringify(stored)
    .replaceAll(`"${from}":{"source"`, `"${to}":{"source"`)
    .replaceAll(`<skill_content name=\\"${from}\\"`, `<skill_content name=\\"${to}\\"`);
  return JSON.parse(text) as Stored;
}
