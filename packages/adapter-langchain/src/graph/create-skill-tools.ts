import type { StructuredToolInterface } from '@langchain/core/tools';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  createSkillset,
  emptySkillState,
  SkillError,
  type SkillProvider,
  type Skillset,
  type SkillsetOptions,
} from '@repertoire/skills-core';
import type { SkillStateBox } from '@repertoire/skills-core/adapter';
import { toolList, type ToolList } from '@repertoire/skills-core/adapter';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { bindSkills } from '../binding/bind-skills.ts';
import { boundTools } from '../binding/bound-tools.ts';
import { knownSkillsOptions, type SkillsArguments, type SkillsOptions } from '../binding/skills-options.ts';
import { runOf } from '../binding/skills-run.ts';
import { gateTool } from '../tools/gate-tool.ts';

/** Options of {@link createSkillTools}: a registry with names, or a skillset. */
export interface CreateSkillToolsOptions<Context = undefined> extends Omit<
  SkillsOptions<Context>,
  'tools' | 'otherTools' | 'gate' | 'activeFor'
> {
  /** The source of the skills: a `SkillRegistry`, or any other provider. */
  readonly skillRegistry?: SkillProvider | undefined;
  /** A skillset instead of `skillRegistry`. */
  readonly skillset?: Skillset<Context> | undefined;
  /** The tools that skills name. @default none */
  readonly toolRegistry?: ToolList<StructuredToolInterface> | ReadonlyMap<string, StructuredToolInterface> | undefined;
  /**
   * Permissions, selection, hooks and listeners, as for `createSkillset`. Only with
   * `skillRegistry`.
   * @default everything is allowed
   */
  readonly hooks?: Pick<SkillsetOptions<Context>, 'audience' | 'hooks' | 'onEvent'> | undefined;
  /**
   * Tools that are closed until a loaded skill names them, as for `createSkillset`. Only with
   * `skillRegistry`.
   * @default those that skills in code name
   */
  readonly gates?: SkillsetOptions<Context>['gates'];
  /**
   * What the model is given, as for `createSkillset`: other names for the tools, or
   * `{ names: 'cards' }`. Only with `skillRegistry`.
   * @default all seven tools: `list_skills`, `load_skill`, …
   */
  readonly surface?: SkillsetOptions<Context>['surface'];
  /**
   * What the conversation has loaded, if the tools do not run in a graph. Create one for each
   * conversation and do not share it. In a graph, the graph's state is used.
   * @default nothing is loaded: skills can be read, and gated tools stay closed
   */
  readonly state?: SkillStateBox | undefined;
}

/** Also shared options that this function ignores. */
const knownOptions: OptionRules<CreateSkillToolsOptions> = {
  ...knownSkillsOptions,
  skillRegistry: '{}',
  skillset: '{}',
  toolRegistry: { '[]': true, '{}': true, iterable: true },
  hooks: '{}',
  gates: { '{}': true },
  surface: { '{}': true },
  state: '{}',
};

/** The result of {@link createSkillTools}: a list of tools, and methods for what changes. */
export interface SkillTools extends Array<StructuredToolInterface> {
  /**
   * The current tools: the list, and those that loaded skills bring (`toolSources`). Outside of a
   * graph, call it before each model call.
   *
   * @param state the graph's state, in a graph. @default the option `state`
   */
  now(state?: unknown, config?: RunnableConfig): Promise<StructuredToolInterface[]>;
  /** Closes what skills opened for the conversation. */
  close(state?: unknown, config?: RunnableConfig): Promise<void>;
}

/**
 * Creates the seven skill tools, then the tools of the registry, which refuse while they are
 * closed. For any model with `bindTools`, in a graph or by hand.
 *
 * @throws {SkillError} `invalid-options` without a source, with two sources, or with hooks that
 *   belong to the skillset; `reserved-tool-name`
 * @example
 * ```ts
 * import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
 * import { createSkillTools } from '@repertoire/adapter-langchain/langgraph';
 * import { emptySkillState, type SkillProvider } from '@repertoire/skills-core';
 *
 * export function modelWithSkills(model: BaseChatModel, skillRegistry: SkillProvider) {
 *   return model.bindTools?.(createSkillTools({ skillRegistry, surface: { names: 'cards' }, state: { current: emptySkillState } }));
 * }
 * ```
 */
export function createSkillTools<Context = undefined>(
  options: CreateSkillToolsOptions<Context> & NonNullable<SkillsArguments<Context, object>[0]>,
): SkillTools {
  assertKnownOptions('createSkillTools', options, knownOptions);
  const { toolRegistry = [], state: box } = options;
  const skillset = skillsetOf(options);
  const tools = toolRegistry instanceof Map ? [...toolRegistry.values()] : toolList(toolRegistry as ToolList<StructuredToolInterface>);
  const binding = bindSkills(skillset, { ...options, tools }, box === undefined ? undefined : crypto.randomUUID());
  const outside = () => box?.current ?? emptySkillState;
  const { skillTools, hostTools, refuse } = boundTools(binding, outside, box);
  const all = [...skillTools, ...hostTools];
  return Object.assign(all, {
    async now(state?: unknown, config?: RunnableConfig) {
      const conversation = await binding.enter(state, runOf(config), state === undefined ? outside() : undefined);
      const toolsOfSkills = [...(await conversation.toolsOfSkills())];
      const now = [...all, ...toolsOfSkills.flatMap(([skill, its]) => its.map((tool) => gateTool(tool, refuse, skill)))];
      return now.filter(({ name }) => !conversation.session.isHidden(name));
    },
    close: async (state?: unknown, config?: RunnableConfig) => binding.close(state, runOf(config)),
  });
}

function skillsetOf<Context>({ skillRegistry, skillset, hooks, gates, surface }: CreateSkillToolsOptions<Context>): Skillset<Context> {
  if ((skillRegistry === undefined) === (skillset === undefined)) {
    throw new SkillError('invalid-options', 'createSkillTools needs one source: give it a `skillRegistry` or a `skillset`.');
  }
  if (skillset === undefined) return createSkillset({ ...hooks, provider: skillRegistry, gates, surface: { tools: 'full', ...surface } });
  if (hooks !== undefined || gates !== undefined || surface !== undefined) {
    throw new SkillError(
      'invalid-options',
      'createSkillTools got a `skillset` with `hooks`, `gates` or `surface`. Give them to createSkillset.',
    );
  }
  return skillset;
}
