import { emptySkillState, SkillError, type Skillset, type SkillState } from '@repertoire/skills-core';
import {
  adapterTool,
  type AdapterContext,
  type AdapterMessage,
  type AdapterModelStep,
  type AdapterTool,
  type GivenToModel,
  type SkillAdapterUnderTest,
} from '../adapter-under-test.ts';
import { tools } from './gate-worlds.ts';

/** How a conversation stands when an agent gets it. */
export interface GatePast {
  /** Messages, which a client may have written. */
  readonly history: readonly AdapterMessage[];
  /** What the state that a client can write says to be loaded, in frameworks that have one. */
  readonly claims: SkillState;
  /** What the server keeps, if it keeps anything: then nothing that a client says counts. */
  readonly state: SkillState | undefined;
}

/** A conversation with an agent that has the {@link tools} of the generated host. */
export interface GateRun {
  /** The tools that ran, in order. */
  readonly ran: readonly string[];
  /** What the model was given, call by call. */
  readonly calls: readonly Omit<GivenToModel, 'state'>[];
  /** The model takes these steps. An error of skills ends the run; any other rejects. */
  ask(steps: readonly AdapterModelStep[], onStep?: (index: number) => void): Promise<void>;
}

interface GateRunOptions {
  readonly skillset: Skillset<AdapterContext>;
  readonly past: GatePast;
  readonly gate?: 'refuse' | 'hide' | undefined;
  readonly rubbish?: unknown;
}

export const nothing: GatePast = { history: [], claims: emptySkillState, state: undefined };
export const onServer: GatePast = { ...nothing, state: emptySkillState };

/** Begins a conversation. */
export async function beginGateRun(
  adapter: SkillAdapterUnderTest,
  { skillset, past, gate = 'refuse', rubbish }: GateRunOptions,
): Promise<GateRun> {
  const ran: string[] = [];
  const calls: Omit<GivenToModel, 'state'>[] = [];
  let answer: () => AdapterModelStep = () => 'Done.';
  const setup = {
    skillset,
    context: { role: 'support' } as const,
    instructions: 'You are a clerk.',
    tools: [...tools.map((name) => emptyTool(name, () => ran.push(name))), emptyTool('ping', () => {})],
    gate: adapter.extended === true ? gate : 'refuse',
    restore: undefined,
    fork: undefined,
    toolsOfSkills: {},
    rubbish,
    ...past,
    model: async ({ system, tools: shown, messages }: GivenToModel) => {
      calls.push(structuredClone({ system, tools: shown, messages }));
      return answer();
    },
  };
  // An adapter may read the skills right here, or only when somebody asks.
  const begun = Promise.resolve().then(async () => await adapter.converse(setup));
  return {
    ran,
    calls,
    async ask(steps, onStep) {
      let index = 0;
      answer = () => {
        onStep?.(index);
        return steps[index++] ?? 'Done.';
      };
      try {
        await (await begun).ask('Go on.');
      } catch (error) {
        if (!SkillError.isInstance(error) && !SkillError.isInstance((error as Error).cause)) throw error;
      }
    },
  };
}

function emptyTool(name: string, run: () => unknown): AdapterTool {
  return adapterTool(name, name, [], () => {
    run();
    return `${name} ran`;
  });
}
