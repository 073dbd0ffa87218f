import { argumentTexts, toolTexts } from '../prompt/model-texts.ts';
import type { SkillToolNames, SkillToolRole } from '../prompt/tool-names.ts';
import type { SkillTool, SkillToolInputSchema } from './skill-tool.ts';

/** A skill tool without its work: what a framework registers before a session is opened. */
export type SkillToolDescription = Pick<SkillTool, 'role' | 'name' | 'description' | 'inputSchema'>;

type Properties = SkillToolInputSchema['properties'];

const text = (description: string): Properties[string] => ({ type: 'string', description });
const records = (description: string, fields: Readonly<Record<string, string>>): Properties[string] => ({
  type: 'array',
  description,
  items: {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([field, about]) => [field, { type: 'string', description: about }])),
    required: Object.keys(fields),
    additionalProperties: false,
  },
});
const line = (description: string): Properties[string] => ({ type: 'integer', minimum: 1, description });

const name = { name: text(argumentTexts.loadName) };
const skill = { skill: text(argumentTexts.readSkill) };
const file = {
  ...skill,
  path: text(argumentTexts.readPath),
  startLine: line(argumentTexts.readStartLine),
  endLine: line(argumentTexts.readEndLine),
};

const inputs: Readonly<Record<SkillToolRole, { readonly properties: Properties; readonly required: readonly string[] }>> = {
  load: {
    properties: { ...name, arguments: text(argumentTexts.loadArguments), version: text(argumentTexts.loadVersion) },
    required: ['name'],
  },
  search: { properties: { query: text(argumentTexts.searchQuery), limit: line(argumentTexts.searchLimit) }, required: ['query'] },
  runScript: {
    properties: {
      ...skill,
      script: text(argumentTexts.runScript),
      arguments: { type: 'array', items: { type: 'string' }, description: argumentTexts.runArguments },
      stdin: text(argumentTexts.runStdin),
    },
    required: ['skill', 'script'],
  },
  runWorkflow: {
    properties: { ...skill, input: { type: 'object', description: argumentTexts.runWorkflowInput } },
    required: ['skill', 'input'],
  },
  propose: {
    properties: {
      skill: text(argumentTexts.proposeSkill),
      reason: text(argumentTexts.proposeReason),
      files: records(argumentTexts.proposeFiles, { path: argumentTexts.proposePath, text: argumentTexts.proposeText }),
      edits: records(argumentTexts.proposeEdits, {
        path: argumentTexts.proposePath,
        old: argumentTexts.proposeOld,
        new: argumentTexts.proposeNew,
      }),
    },
    required: ['skill', 'reason'],
  },
  unload: { properties: { name: text(argumentTexts.unloadName) }, required: ['name'] },
  list: { properties: { start: line(argumentTexts.listStart) }, required: [] },
  readFile: { properties: file, required: ['skill', 'path'] },
  loadResource: { properties: file, required: ['skill', 'path'] },
  loadAsset: { properties: file, required: ['skill', 'path'] },
  listResources: { properties: skill, required: ['skill'] },
  listAssets: { properties: skill, required: ['skill'] },
};

/**
 * What a model is told of a skill tool.
 *
 * @param catalogText the list of skills, if it stands in the description of the load tool
 */
export function describeTool(role: SkillToolRole, names: SkillToolNames, catalogText: string = ''): SkillToolDescription {
  return {
    role,
    name: names[role],
    description: [toolTexts[role](names), catalogText].filter((part) => part !== '').join('\n\n'),
    inputSchema: { type: 'object', ...inputs[role], additionalProperties: false },
  };
}
