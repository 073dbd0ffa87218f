import type { StructuredToolInterface } from '@langchain/core/tools';
import {
  createSkillset,
  SkillError,
  type SkillProvider,
  type Skillset,
  type SkillsetOptions,
  type SkillState,
} from '@repertoire/skills-core';
import { bindSkills } from '../binding/bind-skills.ts';
import type { SkillsOptions } from '../binding/skills-options.ts';
import { gateTool } from '../tools/gate-tool.ts';
import { refuseCall } from '../tools/refuse-call.ts';
import { toLangChainTool } from '../tools/to-langchain-tool.ts';

/** Options of {@link createSkillTools}: a registry and how its tools are called, or a skillset that says so itself. */
export interface CreateSkillToolsOptions<Context = undefined> extends Omit<SkillsOptions<Context>, 'tools' | 'otherTools' | 'gate'> {
  /** Where the skills come from: a `SkillRegistry`, or any other provider. */
  readonly skillRegistry?: SkillProvider | undefined;
  /** A skillset in its place. */
  readonly skillset?: Skillset<Context> | undefined;
  /** The tools that skills name, by whom they are known. @default none */
  readonly toolRegistry?: readonly StructuredToolInterface[] | ReadonlyMap<string, StructuredToolInterface> | undefined;
  /** Who may do what, which skills there are for whom, and who hears of it. Only with `skillRegistry`. @default everyone everything, and nobody */
  readonly hooks?: Pick<SkillsetOptions<Context>, 'permissions' | 'select' | 'onEvent'> | undefined;
  /** Other names for the tools, or `'sherma'`. Only with `skillRegistry`. @default `list_skills`, `load_skill`, … */
  readonly toolNames?: SkillsetOptions['toolNames'];
  /**
   * What the conversation has loaded, where the tools do not run in a graph: make one for each conversation, and do not share it. In a graph, its state is used.
   * @default nothing is loaded: skills can be read, and locked tools stay locked
   */
  readonly state?: { current: SkillState } | undefined;
}

/**
 * The seven skill tools, then the tools of the registry, which refuse until a skill that names them is loaded: for any model with `bindTools`, in a graph or by hand.
 *
 * @throws {SkillError} `invalid-options` without a source, with two, or with hooks that belong to the skillset; `reserved-tool-name`
 * @example
 * ```ts
 * import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
 * import { createSkillTools } from '@repertoire/adapter-langchain/langgraph';
 * import { emptySkillState, type SkillProvider } from '@repertoire/skills-core';
 *
 * export function modelWithSkills(model: BaseChatModel, skillRegistry: SkillProvider) {
 *   return model.bindTools?.(createSkillTools({ skillRegistry, toolNames: 'sherma', state: { current: emptySkillState } }));
 * }
 * ```
 */
export function createSkillTools<Context = undefined>(options: CreateSkillToolsOptions<Context>): StructuredToolInterface[] {
  const { toolRegistry = [], state: box } = options;
  const skillset = skillsetOf(options);
  const tools = toolRegistry instanceof Map ? [...toolRegistry.values()] : [...(toolRegistry as readonly StructuredToolInterface[])];
  const { skillRegistry: _registry, skillset: _skillset, toolRegistry: _tools, hooks: _hooks, toolNames: _names, state: _state, ...rest } = options;
  const binding = bindSkills(skillset, { ...rest, tools });
  const refuse = refuseCall(binding, (config) => {
    const state = (config as { readonly state?: unknown } | undefined)?.state;
    return state ?? (box === undefined ? undefined : { [binding.channels.loaded_skills]: box.current.loaded });
  });
  return [
    ...skillset.toolDescriptions.map((description) => toLangChainTool(description, binding, box)),
    ...binding.hostTools.map((tool) => gateTool(tool, refuse)),
  ];
}

function skillsetOf<Context>({ skillRegistry, skillset, hooks, toolNames }: CreateSkillToolsOptions<Context>): Skillset<Context> {
  if ((skillRegistry === undefined) === (skillset === undefined)) {
    throw new SkillError('invalid-options', 'createSkillTools needs one source: give it a `skillRegistry` or a `skillset`.');
  }
  if (skillset === undefined) return createSkillset({ provider: skillRegistry, surface: 'full', toolNames, ...hooks });
  if (hooks !== undefined || toolNames !== undefined) {
    throw new SkillError('invalid-options', 'createSkillTools got a `skillset` with `hooks` or `toolNames`. Give them to createSkillset.');
  }
  return skillset;
}
