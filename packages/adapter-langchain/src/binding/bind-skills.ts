import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillCatalog, Skillset, SkillState, SkillTool } from '@repertoire/skills-core';
import { assertNoReservedToolNames } from '@repertoire/skills-core/policy';
import type { BaseMessage } from '@langchain/core/messages';
import { withMissingSkills, type MissingSkills } from '../messages/with-missing-skills.ts';
import { readable, skillStateOf } from '../state/skill-state-of.ts';
import { keepCatalog, restoreCatalog } from '../state/kept-catalog.ts';
import type { KeptCatalog } from '../state/skills-state.ts';
import { broughtTools, type BroughtTools } from './brought-tools.ts';
import type { SkillsOptions } from './skills-options.ts';
import type { SkillsRun } from './skills-run.ts';

/** A skillset and how a graph uses it; it keeps nothing of any conversation. */
export interface SkillsBinding<Context> {
  readonly skillset: Skillset<Context>;
  readonly options: SkillsOptions<Context>;
  /** Every skill tool that some catalog may have, for frameworks that must know their tools before a catalog is read. */
  readonly definitions: readonly SkillTool[];
  readonly hostTools: readonly StructuredToolInterface[];
  readonly brought: BroughtTools;
  /** The catalog of a conversation: the one that its state keeps, else read now. */
  catalogOf(state: unknown, run: SkillsRun): Promise<SkillCatalog<Context>>;
  /** Reads the catalog afresh, in the form that a state keeps. */
  readCatalog(run: SkillsRun): Promise<KeptCatalog>;
  /** What is loaded, and what of it still stands in the messages. */
  stateOf(state: unknown, messages?: readonly BaseMessage[]): SkillState;
  /** The messages as the model reads them: with the instructions that were cut from them, where the caller puts them back. */
  messagesShown(state: unknown, run: SkillsRun): Promise<readonly BaseMessage[]>;
}

/** With one skill that has a lasting effect, a skillset gives every tool that it has. */
const anyCatalog = {
  skills: [{ name: 'any', description: '', tools: ['any'] }],
  listed: [],
  text: '',
  toolText: '',
  tokens: 0,
  cut: { shortened: [], nameOnly: [], dropped: [] },
};

/**
 * @param reattach how instructions that were cut are put back into what the model reads; `false` where that is not known here
 * @throws {SkillError} `reserved-tool-name` for a host's tool with the name of a skill tool
 */
export function bindSkills<Context>(
  skillset: Skillset<Context>,
  options: SkillsOptions<Context>,
  reattach: MissingSkills<Context>['options'] | false = false,
): SkillsBinding<Context> {
  const hostTools = options.tools ?? [];
  const otherTools = options.otherTools ?? [];
  const names = [...hostTools.map(({ name }) => name), ...otherTools];
  assertNoReservedToolNames(names, skillset.toolNames);
  const definitions = skillset.tools({ ...anyCatalog, context: undefined as Context });
  const contextOf = async (run: SkillsRun): Promise<Context> => (await options.context?.(run)) as Context;

  async function read(run: SkillsRun): Promise<SkillCatalog<Context>> {
    return options.catalog ?? skillset.catalog({ context: await contextOf(run), availableTools: names, signal: run.signal });
  }

  async function catalogOf(state: unknown, run: SkillsRun): Promise<SkillCatalog<Context>> {
    const kept = readable(state)['_skill_catalog'];
    return kept === undefined || kept === null || options.catalog !== undefined ? read(run) : restoreCatalog(kept, await contextOf(run));
  }

  return {
    skillset,
    options,
    definitions,
    hostTools,
    brought: broughtTools(options.toolSources ?? [], [...definitions.map(({ name }) => name), ...names], (diagnostic) =>
      options.onDiagnostic?.(diagnostic),
    ),
    catalogOf,
    readCatalog: async (run) => keepCatalog(await read(run)),
    stateOf: (state, messages) => skillStateOf(skillset, state, messages),
    async messagesShown(state, run) {
      const messages = readable(state).messages ?? [];
      if (reattach === false) return messages;
      const skills = skillStateOf(skillset, state, messages);
      return withMissingSkills(messages, { skillset, catalog: await catalogOf(state, run), skills, options: reattach, signal: run.signal });
    },
  };
}
