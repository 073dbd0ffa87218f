import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { isTrusted, type SkillProvider } from '@repertoire/skills-core';
import { toolList } from '@repertoire/skills-core/adapter';
import { didYouMean, quote } from '../document/hints.ts';
import type { AgentDocument, DocumentPath } from '../document/agent-document.ts';
import type { AgentPlan } from '../plan/agent-plan.ts';
import { openSkills } from '../sources/open-skills.ts';
import { locationBase } from '../sources/resolve-location.ts';
import type { AgentModels, CompileAgentOptions } from './compile-agent-options.ts';

/** What a plan takes from its host. */
export interface HostParts {
  readonly models: ReadonlyMap<string, BaseChatModel>;
  readonly declared: readonly StructuredToolInterface[];
  readonly gated: readonly StructuredToolInterface[];
  readonly provider: SkillProvider;
}

/** Which parts of the host are looked at. */
export type HostChecks = Readonly<Record<'models' | 'tools' | 'skills' | 'workflows', boolean>>;

/**
 * Takes from the host what a plan names, and reports what the host does not give.
 *
 * @throws {SkillError} `invalid-options` for a `basePath` that is none; `source-unavailable`,
 *   `timeout` of a source
 */
export async function hostParts(
  document: AgentDocument,
  plan: AgentPlan,
  options: CompileAgentOptions,
  checks: HostChecks,
): Promise<HostParts> {
  const models = checks.models ? await modelsOf(document, plan, options.models) : new Map<string, BaseChatModel>();
  if (checks.workflows && options.runWorkflow === undefined) {
    for (const [index, { type }] of plan.nodes.entries()) {
      if (type === 'workflow')
        document.report('agent-host', ['nodes', index, 'type'], 'The host runs no workflows.', 'Give compileAgent runWorkflow.');
    }
  }
  const locations = locationBase(options.basePath, options.within);
  const { sources = {}, skills: registry, signal } = options;
  const opened = await openSkills(document, checks.skills ? plan.skills : [], { sources, registry, locations, signal });
  if (checks.skills)
    reportUnknownSkills(
      document,
      plan,
      opened.listed.map(({ name }) => name),
    );
  const named = new Set(opened.listed.filter(isTrusted).flatMap(({ tools }) => tools ?? []));
  const { declared, gated } = toolsOf(document, plan, options, checks, named);
  return { models, declared, gated, provider: opened.provider };
}

/** Skills that nodes name in so many words. What an expression gives is known only when it runs. */
function reportUnknownSkills(document: AgentDocument, { nodes, skills }: AgentPlan, listed: readonly string[]): void {
  // What the file asks for and no source has is reported there.
  const known = [...new Set([...listed, ...skills.flatMap(({ id }) => id ?? [])])];
  const report = (path: DocumentPath, names: readonly string[]): void => {
    for (const name of names.filter((each) => !known.includes(each)))
      document.report('agent-skill', path, `There is no skill ${quote(name)} in the skills of this agent.`, didYouMean(name, known));
  };
  for (const [index, node] of nodes.entries()) {
    if (node.type === 'workflow') report(['nodes', index, 'args', 'skill', 'id'], [node.skill.id]);
    if (node.type === 'load_skills' && node.skillIds.uses.size === 0)
      report(['nodes', index, 'args', 'skill_ids'], namesIn(node.skillIds.evaluate({})));
  }
}

function namesIn(value: unknown): readonly string[] {
  return (value as readonly unknown[]).flatMap((entry) => {
    const { id, name } = (typeof entry === 'object' && entry !== null ? entry : { id: entry }) as {
      readonly id?: unknown;
      readonly name?: unknown;
    };
    const given = id ?? name;
    return typeof given === 'string' ? [given] : [];
  });
}

async function modelsOf(document: AgentDocument, { llms }: AgentPlan, models: AgentModels = {}): Promise<Map<string, BaseChatModel>> {
  const found = new Map<string, BaseChatModel>();
  for (const [index, llm] of llms.entries()) {
    const model = typeof models === 'function' ? await models(llm) : Object.hasOwn(models, llm.id) ? models[llm.id] : undefined;
    if (model !== undefined && model !== null) {
      found.set(llm.id, model);
      continue;
    }
    const fix =
      typeof models === 'function' ? 'Its function models chooses.' : `Give it in models. ${didYouMean(llm.id, Object.keys(models))}`;
    document.report('agent-host', ['llms', index, 'id'], `The host gives no model ${quote(llm.id)}.`, fix);
  }
  return found;
}

/**
 * Tools that the file names are open to its nodes; what it does not name, or what the host gates,
 * opens with a trusted skill that names it.
 */
function toolsOf(
  document: AgentDocument,
  plan: AgentPlan,
  { tools: handed, gatedTools = [] }: CompileAgentOptions,
  checks: HostChecks,
  named: ReadonlySet<string>,
): Pick<HostParts, 'declared' | 'gated'> {
  const tools = toolList(handed);
  const names = tools.map(({ name }) => name);
  for (const [index, name] of plan.tools.entries()) {
    const path = ['tools', index, 'id'];
    if (checks.tools && !names.includes(name)) {
      document.report('agent-host', path, `The host gives no tool ${quote(name)}.`, `Give it in tools. ${didYouMean(name, names)}`);
    } else if (checks.skills && gatedTools.includes(name) && !named.has(name)) {
      const message = `The host opens ${quote(name)} only with a skill, and no trusted skill names it.`;
      document.report('agent-host', path, message, 'Add the skill, or leave the tool out.');
    }
  }
  const isDeclared = ({ name }: StructuredToolInterface): boolean => plan.tools.includes(name) && !gatedTools.includes(name);
  return { declared: tools.filter(isDeclared), gated: tools.filter((tool) => !isDeclared(tool)) };
}
