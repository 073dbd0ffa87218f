import { argumentTexts, toolTexts } from '../prompt/model-texts.ts';
import type { AddedToolRole, SkillToolNames, SkillToolRole } from '../prompt/tool-names.ts';
import type { SkillTool, SkillToolInputSchema } from './skill-tool.ts';

/** A skill tool without its work: what a framework registers before a session is opened. */
export type SkillToolDescription = Pick<SkillTool, 'role' | 'name' | 'description' | 'inputSchema'>;

/** The arguments of a tool. */
export type Properties = SkillToolInputSchema['properties'];

/** An argument that is a text. */
export const textArgument = (description: string): Properties[string] => ({ type: 'string', description });
/** An argument that counts from 1. */
export const lineArgument = (description: string): Properties[string] => ({ type: 'integer', minimum: 1, description });

interface ToolArguments {
  readonly properties: Properties;
  readonly required: readonly string[];
}

const name = { name: textArgument(argumentTexts.loadName) };
const skill = { skill: textArgument(argumentTexts.readSkill) };
const file = {
  ...skill,
  path: textArgument(argumentTexts.readPath),
  startLine: lineArgument(argumentTexts.readStartLine),
  endLine: lineArgument(argumentTexts.readEndLine),
};

const inputs: Readonly<Record<Exclude<SkillToolRole, AddedToolRole>, ToolArguments>> = {
  load: {
    properties: { ...name, arguments: textArgument(argumentTexts.loadArguments), version: textArgument(argumentTexts.loadVersion) },
    required: ['name'],
  },
  unload: { properties: { name: textArgument(argumentTexts.unloadName) }, required: ['name'] },
  list: { properties: { start: lineArgument(argumentTexts.listStart) }, required: [] },
  readFile: { properties: file, required: ['skill', 'path'] },
  loadResource: { properties: file, required: ['skill', 'path'] },
  loadAsset: { properties: file, required: ['skill', 'path'] },
  listResources: { properties: skill, required: ['skill'] },
  listAssets: { properties: skill, required: ['skill'] },
};

/**
 * What a model is told of a skill tool that every skillset can have.
 *
 * @param catalogText the list of skills, if it stands in the description of the load tool
 */
export function describeTool(
  role: Exclude<SkillToolRole, AddedToolRole>,
  names: SkillToolNames,
  catalogText: string = '',
): SkillToolDescription {
  return toolDescription(role, names, [toolTexts[role](names), catalogText].filter((part) => part !== '').join('\n\n'), inputs[role]);
}

/** A description of a skill tool, in the form of all. */
export function toolDescription(
  role: SkillToolRole,
  names: SkillToolNames,
  description: string,
  { properties, required }: ToolArguments,
): SkillToolDescription {
  return { role, name: names[role], description, inputSchema: { type: 'object', properties, required, additionalProperties: false } };
}
