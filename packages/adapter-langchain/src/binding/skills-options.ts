import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillCatalog, SkillDiagnostic } from '@repertoire/skills-core';
import type { SkillFork } from '@repertoire/skills-core/policy';
import type { SkillToolSource } from './skill-tool-source.ts';
import type { SkillsRun } from './skills-run.ts';

/** Runs a skill that wants an agent of its own, and gives its result: the text that answers the load call. */
export type RunSkillFork = (fork: SkillFork, run: SkillsRun) => Promise<string>;

/** Options that agents and graphs have in common. */
export interface SkillsOptions<Context = undefined> {
  /** Tools of the host that skills name in `tools`. Each refuses in its own execution while it is locked. One that no skill names is left as it is. @default none */
  readonly tools?: readonly StructuredToolInterface[] | undefined;
  /** Names of the agent's other tools, for `missingTools` of the skillset. @default none */
  readonly otherTools?: readonly string[] | undefined;
  /** What `select` and `permissions` of the skillset are to know of a run: the tenant, the role. @default nothing */
  readonly context?: ((run: SkillsRun) => Context | Promise<Context>) | undefined;
  /** One catalog for all conversations. @default read by each conversation, and kept in its state */
  readonly catalog?: SkillCatalog<Context> | undefined;
  /**
   * What becomes of locked tools. `execute`: the model sees them, and they refuse, so that the list of tools never changes and the prompt cache holds. `bind`: they
   * are hidden as well, and appear at the end of the list in the order of loading; each change costs the cached prompt.
   * @default 'execute'
   */
  readonly gate?: 'execute' | 'bind' | undefined;
  /** Runs skills with `context: fork` in an agent of their own. @default they are loaded like any other */
  readonly fork?: RunSkillFork | undefined;
  /** Takes the instructions of an unloaded skill out of the messages. It frees their room, and costs the prompt cache behind that place once. @default false */
  readonly withdraw?: boolean | undefined;
  /** Where tools come from that skills bring themselves, such as `mcpTools` and `localTools`. @default none */
  readonly toolSources?: readonly SkillToolSource[] | undefined;
  /** Hears what could not be done, where the agent goes on without it: a tool that cannot be imported, a model that has no name here. @default ignored */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
}
