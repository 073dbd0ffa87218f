import type { SkillsetOptions } from '@repertoire/skills-core';
import { resolveSkillToolNames } from '@repertoire/skills-core/internal';
import { expressionEnvironment } from '../cel/expression-environment.ts';
import { defaultExpressionLimits, type ExpressionLimits } from '../cel/meter.ts';
import { readAgentDocument, type AgentDocument } from '../document/agent-document.ts';
import { quote } from '../document/hints.ts';
import { readShape } from '../shape/read-shape.ts';
import type { AgentShape, SkillShape } from '../shape/agent-shape.ts';
import type { AgentLlm, AgentPlan } from './agent-plan.ts';
import { checkParallelWrites, planEdges } from './plan-edges.ts';
import { expressionCompiler } from './plan-expression.ts';
import { planNodes } from './plan-nodes.ts';
import { checkState, stateTypes } from './plan-state.ts';

/** Options of {@link planAgent}. */
export interface PlanOptions {
  readonly fileName?: string | undefined;
  readonly limits?: Partial<ExpressionLimits> | undefined;
  readonly toolNames?: NonNullable<SkillsetOptions['surface']>['names'];
}

/** A plan and its document. The plan is `null` if the document has errors. */
export interface PlannedAgent {
  readonly document: AgentDocument;
  readonly plan: AgentPlan | null;
}

/** Checks everything that does not need the host. It never throws. */
export function planAgent(text: string, { fileName = 'agent.yaml', limits, toolNames = 'cards' }: PlanOptions): PlannedAgent {
  const document = readAgentDocument(text, fileName);
  const shape = document.value === undefined ? null : readShape(document);
  if (shape === null) return { document, plan: null };
  checkState(document, shape);
  const ids = checkIds(document, shape);
  const prompts = Object.fromEntries(
    (shape.prompts ?? []).map(({ id, version = '', instructions }) => [id, { id, version, instructions }]),
  );
  const channels = shape.state ?? {};
  const states = stateTypes(channels);
  const compile = expressionCompiler(
    document,
    expressionEnvironment({ ...defaultExpressionLimits, ...limits }),
    { state: states, prompts: 'map<string, map<string, string>>', skills: 'map<string, map<string, dyn>>' },
    {
      channels: Object.keys(states),
      entries: {
        prompts: {
          ids: ids.prompts,
          fields: ['id', 'version', 'instructions'],
          texts: Object.fromEntries(Object.values(prompts).map(({ id, instructions }) => [id, instructions])),
        },
        skills: { ids: knownSkills(shape.skills ?? []), fields: ['id', 'version', 'name', 'description'] },
      },
    },
  );
  const names = {
    llms: ids.llms,
    tools: ids.tools,
    skillTools: Object.values(resolveSkillToolNames(toolNames)),
  };
  for (const [index, { id }] of (shape.tools ?? []).entries()) {
    if (!names.skillTools.includes(id)) continue;
    const message = `${quote(id)} is a skill tool and always there.`;
    document.report('agent-duplicate', ['tools', index, 'id'], message, 'Leave it out of `tools`, and name it in the nodes.');
  }
  const nodes = planNodes(document, shape, names, compile);
  const { edges, toolNodes } = planEdges(document, shape, nodes, compile);
  checkParallelWrites(document, shape, nodes, edges);
  if (document.hasErrors) return { document, plan: null };
  return {
    document,
    plan: {
      name: shape.name,
      prompts,
      skills: shape.skills ?? [],
      llms: (shape.llms ?? []).map(({ model_name: modelName, ...llm }): AgentLlm => ({ ...llm, modelName })),
      tools: ids.tools,
      channels,
      nodes: [...nodes, ...toolNodes],
      edges,
    },
  };
}

interface Ids {
  readonly prompts: readonly string[];
  readonly llms: readonly string[];
  readonly tools: readonly string[];
}

/** An id is unique in its section, because in expressions a section is a map of its ids. */
function checkIds(document: AgentDocument, shape: AgentShape): Ids {
  const idsOf = (section: 'prompts' | 'llms' | 'tools' | 'skills'): string[] => {
    const seen = new Set<string>();
    for (const [index, { id }] of (shape[section] ?? []).entries()) {
      if (id === undefined) continue;
      if (seen.has(id))
        document.report(
          'agent-duplicate',
          [section, index, 'id'],
          `${section} has two entries with the id ${quote(id)}.`,
          'Keep one of them.',
        );
      seen.add(id);
    }
    return [...seen];
  };
  idsOf('skills');
  for (const [index, skill] of (shape.skills ?? []).entries()) checkSkill(document, skill, index);
  return { prompts: idsOf('prompts'), llms: idsOf('llms'), tools: idsOf('tools') };
}

function checkSkill(document: AgentDocument, { id, version, skill_card_path: card, folder, url }: SkillShape, index: number): void {
  const places = [card, folder, url].filter((place) => place !== undefined).length;
  if (places > 1) {
    document.report('agent-shape', ['skills', index], 'A skill comes from one place.', 'Keep one of skill_card_path, folder and url.');
  }
  if (id === undefined && (places === 0 || card !== undefined)) {
    document.report('agent-shape', ['skills', index], 'The skill has no id.', 'Add `id`: the name of the skill.');
  }
  if (id === undefined && version !== undefined) {
    document.report('agent-shape', ['skills', index, 'version'], 'A version needs an `id`.', 'Add `id`, or leave the version out.');
  }
}

/** The ids in `skills`; `null` if an entry means all skills of a place. */
function knownSkills(skills: readonly SkillShape[]): readonly string[] | null {
  return skills.some(({ id }) => id === undefined) ? null : skills.flatMap(({ id }) => id ?? []);
}
