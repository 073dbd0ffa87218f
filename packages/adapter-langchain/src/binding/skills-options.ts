import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import type { SkillFork } from '@repertoire/skills-core/policy';
import type { ReattachOptions } from '@repertoire/skills-core/state';
import type { SkillToolSource } from './skill-tool-source.ts';
import type { SkillsRun } from './skills-run.ts';

/** Runs a skill that wants an agent of its own, and returns its result: the text that answers the load call. */
export type RunSkillFork = (fork: SkillFork, run: SkillsRun) => Promise<string>;

/** Options that agents and graphs have in common, for the table of each. */
export const knownSkillsOptions: Readonly<Record<keyof SkillsOptions, true>> = {
  tools: true,
  otherTools: true,
  context: true,
  namespace: true,
  gate: true,
  fork: true,
  reattach: true,
  withdraw: true,
  stateSecret: true,
  toolSources: true,
  onDiagnostic: true,
};

/** Options that agents and graphs have in common. */
export interface SkillsOptions<Context = undefined> {
  /** Tools of the host. Those that are gated refuse in their own execution while they are closed; the others are left as they are. @default none */
  readonly tools?: readonly StructuredToolInterface[] | undefined;
  /** Names of the agent's other tools, for `missingTools` of the skillset. @default none */
  readonly otherTools?: readonly string[] | undefined;
  /** What `select` and `permissions` of the skillset are to know of a run: the tenant, the role. @default nothing */
  readonly context?: ((run: SkillsRun) => Context | Promise<Context>) | undefined;
  /** Suffix of the channels of the graph's state; several skillsets in one graph need one each. See `skillsStateOf`. @default none */
  readonly namespace?: string | undefined;
  /**
   * What a model sees of gated tools while they are closed. `refuse`: it sees them, and they refuse, so that the list of tools never changes
   * and the prompt cache holds. `hide`: they are hidden as well, and appear at the end of the list in the order of loading; each change costs
   * the cached prompt.
   * @default 'refuse'
   */
  readonly gate?: 'refuse' | 'hide' | undefined;
  /** Runs skills with `context: fork` in an agent of their own. @default they are loaded like any other */
  readonly fork?: RunSkillFork | undefined;
  /**
   * The token budget for instructions that are put back: those of loaded skills that a summary or another edit cut from the messages, and
   * those that the skillset's refresh policy has due. `false` puts back none that were cut.
   * @default 25,000 tokens together, 5,000 each
   */
  readonly reattach?: Omit<ReattachOptions, 'names' | 'signal'> | false | undefined;
  /** Takes the instructions of an unloaded skill out of the messages. It saves their tokens, but the prompt cache after that position is lost once. @default false */
  readonly withdraw?: boolean | undefined;
  /**
   * Signs what is loaded, so that nobody but this host can write it: at least 32 random characters, the same on every machine. Give it if
   * clients can write the graph's state. Without it, such a client can claim that a skill is loaded which this run may load.
   * @default nothing is signed
   */
  readonly stateSecret?: string | undefined;
  /** Where tools come from that skills bring themselves, such as `mcpTools`, `localTools` and `skillScopedTools`. @default none */
  readonly toolSources?: readonly SkillToolSource[] | undefined;
  /** Called with each diagnostic, once, besides `onDiagnostic` of the skillset. What it throws is ignored. @default ignored */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
}
