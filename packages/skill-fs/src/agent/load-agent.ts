import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  createSkillset,
  SkillError,
  type OpenRequest,
  type SkillMetadata,
  type Skillset,
  type SkillsetOptions,
} from '@repertoire/skills-core';
import { fileSystemSkillProvider } from '../file-system-skill-provider.ts';
import type { FileSystemSkillProviderOptions } from '../file-system-skill-provider-options.ts';
import { agentTools } from './agent-tools.ts';
import { readAgentMd } from './read-agent-md.ts';
import { runSteps, type AgentWorkflowRun } from './run-steps.ts';
import { standingSkillset } from './standing-skillset.ts';

/** Options of {@link loadAgent}. */
export interface LoadAgentOptions<Tool, Context = undefined> {
  /**
   * All tools of the workspace: by the ids that skills use, or a list of tools that have a name.
   * @default none
   */
  readonly tools?: Readonly<Record<string, Tool>> | readonly (Tool & { readonly name: string })[] | undefined;
  /** The folder of the skills. @default `skills` beside the folder of agents */
  readonly skillsFolder?: string | URL | undefined;
  /** How folders are read, and whether they are trusted. @default as `fileSystemSkillProvider` */
  readonly folders?: Omit<FileSystemSkillProviderOptions, 'roots'> | undefined;
  /** Further options of the skillset. @default those of `createSkillset` */
  readonly skillset?: Omit<SkillsetOptions<Context>, 'provider' | 'skills'> | undefined;
  /**
   * `prompt`: the instructions of all its skills stand in the prompt from the start. `on-demand`:
   * the prompt lists the skills, and the model loads what it needs.
   * @default 'prompt'
   */
  readonly bodies?: 'prompt' | 'on-demand' | undefined;
}

/** An agent of a workspace: what a framework needs to run it. */
export interface WorkspaceAgent<Tool, Context = undefined> {
  /** The name of its folder. */
  readonly id: string;
  readonly description: string | undefined;
  /** The model that its AGENT.md names; the host knows what it means. */
  readonly model: string | undefined;
  /** The body of AGENT.md, without the instructions of skills. Adapters put those behind it. */
  readonly instructions: string;
  /** Exactly the skills that it lists. */
  readonly skillset: Skillset<Context>;
  /** The tools that its skills name, each once, and no others. */
  readonly tools: Readonly<Record<string, Tool>>;
  /**
   * Runs the steps of its skills without a model that decides: those that have `steps`, in the
   * order of AGENT.md, each with this input, by `workflows` of the skillset. Permissions and gates
   * hold as for a model.
   *
   * @param request what `skillset.open` takes: the context, a signal
   * @throws {SkillError} `unsupported` if no skill has steps; `invalid-options` without
   *   `workflows`; what the first skill that fails says
   */
  run(input: Readonly<Record<string, unknown>>, request?: OpenRequest<Context>): Promise<readonly AgentWorkflowRun[]>;
}

const knownOptions: OptionRules<LoadAgentOptions<object>> = {
  tools: { '{}': true, '[]': true },
  skillsFolder: { string: true, '{}': true },
  folders: '{}',
  skillset: '{}',
  bodies: { prompt: true, 'on-demand': true },
};

/**
 * Reads an agent of a workspace: `agents/<id>/AGENT.md` with a list of skills, and
 * `skills/<id>/SKILL.md` for each. It has the tools that those skills name and no others. The list
 * and the tools are those of now; instructions are read again for each session.
 *
 * @throws {SkillError} `resource-not-found` without AGENT.md; `invalid-skill` if it lists no
 *   skills; `skill-not-found` for a skill that is not there, cannot be read, or has the name of
 *   another; `invalid-options` for a tool that is not in `tools`
 * @example
 * ```ts
 * import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
 * import { loadAgent } from '@repertoire/skill-fs/agent';
 * import { ToolLoopAgent, type LanguageModel, type ToolSet } from 'ai';
 *
 * export async function planner(model: LanguageModel, tools: ToolSet) {
 *   const agent = await loadAgent('workspace/agents/planner', { tools });
 *   const skills = await aiSdkSkills(agent.skillset, { tools: agent.tools });
 *   return new ToolLoopAgent({ model, ...skills.agentSettings({ instructions: agent.instructions }) });
 * }
 * ```
 */
export async function loadAgent<Tool = never, Context = undefined>(
  directory: string | URL,
  options: LoadAgentOptions<Tool, Context> = {},
): Promise<WorkspaceAgent<Tool, Context>> {
  assertKnownOptions('loadAgent', options, knownOptions);
  const folder = folderOf(directory);
  const id = path.basename(folder);
  const { skills: ids, body, description, model } = await readAgentMd(folder);
  const skillsFolder = options.skillsFolder === undefined ? path.resolve(folder, '../../skills') : folderOf(options.skillsFolder);
  const roots = ids.map((skill) => path.join(skillsFolder, skill));
  const { folders } = options;
  const provider = fileSystemSkillProvider({
    label: id,
    ...folders,
    roots,
    // A folder is a skill; what lies deeper belongs to it.
    limits: { ...folders?.limits, depth: 0 },
  });
  const { skills: listed, diagnostics } = await provider.listSkills();
  const skills = ids.map((skill, index): SkillMetadata => {
    const uri = pathToFileURL(`${roots[index]}/`).href;
    const found = listed.find(({ origin }) => origin?.uri === uri);
    if (found !== undefined) return found;
    const why = diagnostics.filter(
      (diagnostic) => diagnostic.path?.startsWith(uri) === true || diagnostic.path?.startsWith(roots[index] ?? uri) === true,
    );
    throw notThere(id, skill, why.map(({ message }) => message).join(' '));
  });
  // The tools of an agent are open: that is what its list of skills is for.
  const skillset = createSkillset<Context>({ gates: { tools: [] }, ...options.skillset, provider });
  const names = skills.map(({ name }) => name);
  return {
    id,
    description,
    model,
    instructions: body,
    skillset: options.bodies === 'on-demand' ? skillset : standingSkillset(skillset, names),
    tools: agentTools(id, skills, byName(options.tools)),
    run: async (input, request) => await runSteps(id, skillset, skills, input, request),
  };
}

function byName<Tool>(tools: LoadAgentOptions<Tool>['tools'] = {}): Readonly<Record<string, Tool>> {
  if (!Array.isArray(tools)) return tools as Readonly<Record<string, Tool>>;
  return Object.fromEntries((tools as readonly (Tool & { readonly name: string })[]).map((tool) => [tool.name, tool]));
}

function folderOf(given: string | URL): string {
  return path.resolve(given instanceof URL ? fileURLToPath(given) : given);
}

function notThere(agent: string, skill: string, why: string): SkillError {
  return new SkillError(
    'skill-not-found',
    `Agent ${JSON.stringify(agent)} lists the skill ${JSON.stringify(skill)}, which is not in its workspace or cannot be used.${why === '' ? '' : ` ${why}`} Correct AGENT.md or the skill.`,
    { skill },
  );
}
