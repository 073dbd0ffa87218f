import { restoreRules, type ToolList } from '@repertoire/skills-core/adapter';
import { type OptionRules } from '@repertoire/skills-core/internal';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import type { ContextArguments, RestoreBudget, SkillFork } from '@repertoire/skills-core/adapter';
import type { SkillToolSource } from './skill-tool-source.ts';
import type { SkillsRun } from './skills-run.ts';

/** Runs a skill in an agent of its own. The result is the text that answers the load call. */
export type RunSkillFork = (fork: SkillFork, run: SkillsRun) => Promise<string>;

/** The option `context` is required if the skillset has a context. */
export type SkillsArguments<Context, Options> = ContextArguments<
  Context,
  Options,
  { readonly context: (run: SkillsRun) => Context | Promise<Context> }
>;

/** The options that agents and graphs share, for their tables of known options. */
export const knownSkillsOptions: OptionRules<SkillsOptions> = {
  tools: { '[]': true, '{}': true },
  otherTools: 'string[]',
  context: '()',
  namespace: 'string',
  gate: { hide: true, refuse: true },
  fork: '()',
  activeFor: { conversation: true, run: true },
  restore: { '{}': restoreRules, false: true },
  withdraw: 'boolean',
  stateSecret: { string: true, 'string[]': true },
  toolSources: '[]',
  onDiagnostic: '()',
};

/** Options that agents and graphs share. */
export interface SkillsOptions<Context = undefined> {
  /**
   * The host's tools: a list, or an object with each under its name. Gated ones refuse in their own
   * execution while they are closed; the others are not changed.
   * @default none
   */
  readonly tools?: ToolList<StructuredToolInterface> | undefined;
  /** Names of the agent's other tools, for `gates.missing` of the skillset. @default none */
  readonly otherTools?: readonly string[] | undefined;
  /**
   * Returns the context for `select` and `permissions` of the skillset, such as the tenant or the
   * role.
   * @default none
   */
  readonly context?: ((run: SkillsRun) => Context | Promise<Context>) | undefined;
  /**
   * Suffix of the state's channels. If a graph has several skillsets, each needs its own. See
   * `skillsStateOf`.
   * @default none
   */
  readonly namespace?: string | undefined;
  /**
   * What a model sees of gated tools while they are closed. `refuse`: it sees them and they refuse,
   * so the list of tools never changes and the prompt cache stays valid. `hide`: it does not see
   * them; open ones appear at the end of the list in load order, and each change invalidates the
   * prompt cache.
   * @default 'refuse'
   */
  readonly gate?: 'refuse' | 'hide' | undefined;
  /**
   * How long a loaded skill stays active. `run`: until the answer to the message of the person; the
   * next run starts with nothing loaded, and the tools of the skill are closed again. A run that
   * was paused for an approval goes on with what it had. In a graph, `addTo` and `catalogNode`
   * begin a run.
   * @default 'conversation': until the skill is unloaded
   */
  readonly activeFor?: 'conversation' | 'run' | undefined;
  /** Runs skills with `context: fork` in an agent of their own. @default loaded like others */
  readonly fork?: RunSkillFork | undefined;
  /**
   * Token budget for instructions that are inserted again: those of loaded skills that a summary or
   * another edit removed from the messages, and those that the skillset's refresh policy repeats.
   * `false` inserts no removed ones.
   * @default 25,000 tokens in total, 5,000 for each skill
   */
  readonly restore?: RestoreBudget | false | undefined;
  /**
   * Removes the instructions of an unloaded skill from the messages. This saves their tokens, but
   * invalidates the prompt cache after that position once.
   * @default false
   */
  readonly withdraw?: boolean | undefined;
  /**
   * Secret that signs what is loaded, so that only this host can write it: at least 32 random
   * characters, the same on every machine. With several, the first one signs and all of them count:
   * put a new one first, and remove the old one when no state needs it. Pass it if clients can
   * write the graph's state. Without it, such a client can claim that a skill is loaded, if this
   * run may load it. See `skillStateSeal`.
   * @default nothing is signed
   */
  readonly stateSecret?: string | readonly string[] | undefined;
  /**
   * Sources of tools of skills themselves, such as `mcpTools`, `localTools` and
   * `skillScopedTools`.
   * @default none
   */
  readonly toolSources?: readonly SkillToolSource[] | undefined;
  /**
   * Called once with each diagnostic, in addition to `onDiagnostic` of the skillset. Errors that it
   * throws are ignored.
   * @default none
   */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
}
