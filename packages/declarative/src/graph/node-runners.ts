import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { RunnableConfig } from '@langchain/core/runnables';
import { interrupt } from '@langchain/langgraph';
import { SkillError } from '@repertoire/skills-core';
import type { SkillWanted } from '@repertoire/adapter-langchain/langgraph';
import { toExpressionValue } from '../cel/values.ts';
import { quote } from '../document/hints.ts';
import type { NodePlan } from '../plan/agent-plan.ts';
import type { AgentSkills } from './agent-skills.ts';
import { callLlm, type RunNode } from './call-llm.ts';
import { expressionsOf, updateOf, type OpenScope } from './scope.ts';

/** A workflow skill to run. */
export interface WorkflowRequest {
  readonly skill: string;
  readonly version?: string | undefined;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Runs workflow skills for nodes of type `workflow`, and returns the result as plain data. */
export type RunWorkflow = (request: WorkflowRequest, config: RunnableConfig) => Promise<unknown>;

/** What nodes are made of. */
export interface RunnerParts {
  readonly skills: AgentSkills;
  readonly openScope: OpenScope;
  readonly models: ReadonlyMap<string, BaseChatModel>;
  readonly runWorkflow: RunWorkflow | undefined;
}

const maxLoaded = 50;

/** What a node of a plan does. */
export function runnerOf(node: NodePlan, { skills, openScope, models, runWorkflow }: RunnerParts): RunNode {
  switch (node.type) {
    case 'call_llm': {
      const model = models.get(node.llm);
      if (model === undefined) throw new SkillError('invalid-options', `There is no model ${quote(node.llm)}. Give it in models.`);
      return callLlm(node, model, skills, openScope);
    }
    case 'tool_node':
      return skills.toolNode(node.tools);
    case 'load_skills':
      return async (state, config) => {
        const kept = await skills.keep(state, config);
        const { variables } = await openScope(kept.state, config, [node.skillIds]);
        const update = await skills.load(kept.state, config, wantedSkills(node.skillIds.evaluate(variables), node.name));
        return { ...kept.update, ...update };
      };
    case 'set_state':
      return async (state, config) => {
        const { variables, update } = await openScope(state, config, expressionsOf(node.updates));
        return { ...update, ...updateOf(node.updates, variables) };
      };
    case 'interrupt':
      return async (state, config) => {
        const { variables, update } = await openScope(state, config, [node.value, ...expressionsOf(node.updates)]);
        const answer: unknown = interrupt(node.value.evaluate(variables));
        return { ...update, ...updateOf(node.updates, { ...variables, answer: toExpressionValue(answer) }) };
      };
    case 'workflow':
      return async (state, config) => {
        if (runWorkflow === undefined)
          throw new SkillError('invalid-options', 'The host runs no workflows. Give compileAgent runWorkflow.');
        const { input, updates } = node;
        const { variables, update } = await openScope(state, config, [...(input === null ? [] : [input]), ...expressionsOf(updates)]);
        const given = (input?.evaluate(variables) ?? {}) as Readonly<Record<string, unknown>>;
        const result = await runWorkflow({ skill: node.skill.id, version: node.skill.version, input: given }, config);
        return { ...update, ...updateOf(updates, { ...variables, workflow_result: toExpressionValue(result) }) };
      };
  }
}

/** The value of `skill_ids`: names, or maps with `id` or `name`. A model may have written it. */
function wantedSkills(value: unknown, node: string): (SkillWanted | string)[] {
  const list = value as readonly unknown[];
  const fail = (what: string): SkillError =>
    new SkillError('agent-failed', `skill_ids of node ${quote(node)} ${what}. It has to give a list of names or of {id, version}.`);
  if (list.length > maxLoaded) throw fail(`gave ${list.length} skills; at most ${maxLoaded} are loaded`);
  return list.map((entry) => {
    if (typeof entry === 'string') return entry;
    if (typeof entry !== 'object' || entry === null) throw fail(`gave ${quote(entry)}`);
    const { id, name, version } = entry as Readonly<Record<string, unknown>>;
    const skill = id ?? name;
    if (typeof skill !== 'string') throw fail(`gave ${quote(entry)}`);
    if (version !== undefined && version !== null && typeof version !== 'string') throw fail(`gave ${quote(entry)}`);
    return { id: skill, ...(typeof version === 'string' && version !== '' && { version }) };
  });
}
