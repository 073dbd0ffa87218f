import { proposalToolTexts } from '../prompt/proposal-texts.ts';
import { scriptToolTexts } from '../prompt/script-texts.ts';
import { searchToolTexts } from '../prompt/search-texts.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import { workflowToolTexts } from '../prompt/workflow-texts.ts';
import { line, text, toolDescription, type Properties, type SkillToolDescription } from './describe-tool.ts';

/** What a model is told of an added tool. Functions, so that bundles drop unused ones. */
export type DescribeAddedTool = (names: SkillToolNames) => SkillToolDescription;

/** What a model is told of the tool that searches. */
export const describeSearchTool: DescribeAddedTool = (names) => {
  const { description, query, limit } = searchToolTexts;
  return toolDescription('search', names, description(names), {
    properties: { query: text(query), limit: line(limit) },
    required: ['query'],
  });
};

/** What a model is told of the tool that runs scripts. */
export const describeScriptTool: DescribeAddedTool = (names) => {
  const texts = scriptToolTexts;
  return toolDescription('runScript', names, texts.description(names.load), {
    properties: {
      skill: text(texts.skill),
      script: text(texts.script),
      arguments: { type: 'array', items: { type: 'string' }, description: texts.arguments },
      stdin: text(texts.stdin),
    },
    required: ['skill', 'script'],
  });
};

/** What a model is told of the tool that runs workflows. */
export const describeWorkflowTool: DescribeAddedTool = (names) => {
  const { description, skill, input } = workflowToolTexts;
  return toolDescription('runWorkflow', names, description(names.load), {
    properties: { skill: text(skill), input: { type: 'object', description: input } },
    required: ['skill', 'input'],
  });
};

/** What a model is told of the tool that proposes skills. */
export const describeProposalTool: DescribeAddedTool = (names) => {
  const texts = proposalToolTexts;
  return toolDescription('propose', names, texts.description(names.load), {
    properties: {
      skill: text(texts.skill),
      reason: text(texts.reason),
      files: records(texts.files, { path: texts.path, text: texts.text }),
      edits: records(texts.edits, { path: texts.path, old: texts.old, new: texts.new }),
    },
    required: ['skill', 'reason'],
  });
};

function records(description: string, fields: Readonly<Record<string, string>>): Properties[string] {
  return {
    type: 'array',
    description,
    items: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(fields).map(([field, about]) => [field, { type: 'string', description: about }])),
      required: Object.keys(fields),
      additionalProperties: false,
    },
  };
}
