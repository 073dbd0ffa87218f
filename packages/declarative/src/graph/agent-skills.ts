import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import type { BaseChatModel, BindToolsInput } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import type { Runnable, RunnableConfig } from '@langchain/core/runnables';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { createSkillset, type SkillMetadata, type SkillProvider, type SkillSession, type SkillsetOptions } from '@repertoire/skills-core';
import {
  langGraphSkills,
  type LangGraphSkillsOptions,
  type SkillWanted,
  type SkillsNodeUpdate,
  type SkillsState,
} from '@repertoire/adapter-langchain/langgraph';
import { resolveVersion } from '@repertoire/skills-core/versions';

/** Options of the skillset that the host may set. */
export type AgentSkillsetOptions = Omit<SkillsetOptions<unknown>, 'provider' | 'skills'>;
/** Options of the graph binding that the host may set. */
export type AgentBindingOptions = Omit<LangGraphSkillsOptions<unknown>, 'tools' | 'otherTools' | 'gate' | 'namespace' | 'activeFor'>;

/** What {@link AgentSkills} is made of. */
export interface AgentSkillsParts {
  readonly provider: SkillProvider;
  /** Tools that nodes bind by name. */
  readonly declared: readonly StructuredToolInterface[];
  /** Tools that a loaded skill opens. */
  readonly gated: readonly StructuredToolInterface[];
  readonly skillset: AgentSkillsetOptions;
  readonly binding: AgentBindingOptions;
}

/** The tools of a model call. */
export interface ToolChoice {
  readonly names: readonly string[];
  readonly ofLoadedSkills: boolean;
}

/** A skill in expressions. */
export type SkillEntry = Readonly<Record<'id' | 'name' | 'description', string>> & { readonly version: string | null };

/** Skills for an agent. Only this uses the LangChain adapter, which decides about skills. */
export interface AgentSkills {
  /** The state with its catalog, and the update that stores it. Read once per conversation. */
  keep(state: SkillsState, config: RunnableConfig): Promise<{ readonly state: SkillsState; readonly update: SkillsNodeUpdate }>;
  /** The variable `skills`. The same catalog gives the same bytes. */
  entries(state: SkillsState, config: RunnableConfig): Promise<Readonly<Record<string, SkillEntry>>>;
  /** A model with the tools of this call. */
  bind(
    model: BaseChatModel,
    state: SkillsState,
    config: RunnableConfig,
    choice: ToolChoice,
  ): Promise<Runnable<BaseLanguageModelInput, AIMessageChunk>>;
  /** The messages, with the instructions of loaded skills that were removed. */
  messages(state: SkillsState, config: RunnableConfig): Promise<BaseMessage[]>;
  /** Loads skills as if a model had loaded them. */
  load(state: SkillsState, config: RunnableConfig, wanted: readonly (SkillWanted | string)[]): Promise<SkillsNodeUpdate>;
  /** A node that runs the tool calls of the last message: skill tools, opened tools, and these. */
  toolNode(names: readonly string[]): (state: SkillsState, config: RunnableConfig) => Promise<SkillsNodeUpdate>;
}

/** By the standard. */
const maxDescription = 1024;

export function agentSkills({ provider, declared, gated, skillset: policy, binding }: AgentSkillsParts): AgentSkills {
  const gatedTools = gated.map(({ name }) => name);
  const skillset = createSkillset<unknown>({
    resolveVersion,
    ...policy,
    surface: { tools: 'full', names: 'cards', ...policy.surface },
    gates: { ...policy.gates, tools: gatedTools },
    provider,
  });
  const skills = langGraphSkills<unknown>(skillset, {
    ...binding,
    tools: gated,
    otherTools: declared.map(({ name }) => name),
    gate: 'hide',
  });

  async function keep(state: SkillsState, config: RunnableConfig): ReturnType<AgentSkills['keep']> {
    const update = await skills.catalogNode(state, config);
    return { state: { ...state, ...update }, update };
  }

  async function open(state: SkillsState, config: RunnableConfig): Promise<SkillSession> {
    const { context, configurable = {}, signal } = config as RunnableConfig & { readonly context?: unknown };
    const given = binding.context && { context: await binding.context({ context, configurable, signal }) };
    return skillset.open({ ...given, kept: state['_skill_session'] ?? undefined, signal });
  }

  return {
    keep,

    async entries(state, config) {
      const { catalog } = await open(state, config);
      return Object.fromEntries(catalog.skills.map((skill) => [skill.name, entryOf(skill)]));
    },

    async bind(model, state, config, { names, ofLoadedSkills }) {
      const opened = ofLoadedSkills ? await toolsOfLoaded(await open(state, config), state) : [];
      const wanted = new Set([...names, ...opened]);
      const own = declared.filter(({ name }) => wanted.has(name));
      // The adapter decides what may be shown. This node shows the part of it that it names.
      const narrow = {
        getName: () => model.getName(),
        bindTools: (all: BindToolsInput[]) => {
          const chosen = all.filter((tool) => wanted.has(nameOf(tool)));
          return chosen.length === 0 ? model.withConfig({}) : model.bindTools?.(chosen);
        },
      };
      const usable = model.bindTools === undefined ? model : (narrow as unknown as BaseChatModel);
      return skills.bindLoadedTools(usable, state, { tools: own, config });
    },

    messages: (state, config) => skills.messages(state, config),
    load: (state, config, wanted) => skills.loadSkillsNode(() => wanted)(state, config),
    toolNode: (names) => skills.toolNode(declared.filter(({ name }) => names.includes(name))),
  };
}

/** Names of the tools that loaded skills opened, and of the file's tools that they name. */
async function toolsOfLoaded(session: SkillSession, state: SkillsState): Promise<string[]> {
  const loaded = Object.fromEntries(
    Object.entries(state.loaded_skills ?? {}).flatMap(([name, entry]) => (entry === null ? [] : [[name, entry]])),
  );
  const active = await session.active({ loaded });
  return active.flatMap(({ name, tools = [] }) => [...(state.loaded_tools?.[name] ?? []), ...tools]);
}

/** Skill tools are definitions in OpenAI's shape; the others are tools. */
function nameOf(tool: BindToolsInput): string {
  const { name, function: definition } = tool as { readonly name?: unknown; readonly function?: { readonly name?: unknown } };
  return String(name ?? definition?.name);
}

function entryOf({ name, version, description, metadata }: SkillMetadata): SkillEntry {
  return {
    id: name,
    version,
    name: metadata?.['title'] ?? name,
    description: description.slice(0, maxDescription).toWellFormed(),
  };
}
