import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillProvider } from '@repertoire/skills-core';
import type { ToolList } from '@repertoire/skills-core/adapter';
import type { ExpressionLimits } from '../cel/meter.ts';
import type { AgentProblem } from '../document/agent-problem.ts';
import type { AgentBindingOptions, AgentSkillsetOptions } from '../graph/agent-skills.ts';
import type { AgentGraphOptions } from '../graph/build-graph.ts';
import type { RunWorkflow } from '../graph/node-runners.ts';
import type { AgentLlm } from '../plan/agent-plan.ts';
import type { AgentSources } from '../sources/open-skills.ts';

/**
 * The models of an agent: by `id` of `llms`, or a function that chooses; it gives `null` for one
 * that it does not have.
 */
export type AgentModels =
  | Readonly<Record<string, BaseChatModel>>
  | ((llm: AgentLlm) => BaseChatModel | null | Promise<BaseChatModel | null>);

/** What a host gives to the file of an agent. The file can use nothing else. */
export interface AgentHostOptions {
  /** The models that `llms` may name. */
  readonly models?: AgentModels | undefined;
  /**
   * Tools: a list, or an object with each under its name. Those that the section `tools` names can
   * be bound by nodes; the others open while a trusted skill that names them is loaded.
   * @default none
   */
  readonly tools?: ToolList<StructuredToolInterface> | undefined;
  /** Names of tools that only a loaded skill opens, whatever the file says. @default none */
  readonly gatedTools?: readonly string[] | undefined;
  /** Where skills come from that are named by `id` alone: a registry, or any provider. */
  readonly skills?: SkillProvider | undefined;
  /**
   * How cards, folders and URLs that the file names become sources. @default they cannot be used
   */
  readonly sources?: AgentSources | undefined;
  /**
   * The folder that relative paths of the file start at, and that they may lead into: an absolute
   * path or a URL.
   */
  readonly basePath?: string | URL | undefined;
  /** Other folders that paths of the file may lead into. @default none */
  readonly within?: readonly (string | URL)[] | undefined;
}

/** How a file is read. */
export interface AgentReadOptions {
  /** Name of the file, for messages. @default 'agent.yaml' */
  readonly fileName?: string | undefined;
  /** How much one evaluation of an expression may cost. */
  readonly limits?: Partial<ExpressionLimits> | undefined;
  /**
   * How skills behave: permissions, selection, limits, names of tools, listeners.
   * @default the seven tools of the skill-card system, under its names: `load_skill_md`,
   *   `unload_skill`, `list_skills`, …
   */
  readonly skillset?: AgentSkillsetOptions | undefined;
}

/** Options of `compileAgent`. */
export interface CompileAgentOptions extends AgentHostOptions, AgentReadOptions {
  /** How skills meet the graph: `context`, `toolSources`, `fork`, `restore`. */
  readonly binding?: AgentBindingOptions | undefined;
  /** How the graph is compiled: `checkpointer`, `store`, `interruptBefore`, … */
  readonly graph?: AgentGraphOptions | undefined;
  /** Runs workflow skills for nodes of the type `workflow`. @default such nodes are refused */
  readonly runWorkflow?: RunWorkflow | undefined;
  /**
   * Called with warnings about the file. @default they are printed with `console.warn`, each once
   */
  readonly onDiagnostic?: ((problem: AgentProblem) => void) | undefined;
  /** Ends the reading of skill sources. */
  readonly signal?: AbortSignal | undefined;
}
