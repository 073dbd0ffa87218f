import { SkillError } from '@repertoire/skills-core';
import { inputReferences, type InputReference } from '../references/input-paths.ts';
import type { WorkflowTools } from '../run/workflow-tool-function.ts';
import type { Workflow } from '../workflow.ts';

/** JSON Schema (draft 2020-12) of the input of a workflow, as model APIs take it. */
export interface WorkflowInputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  readonly additionalProperties: boolean;
}

interface Field {
  /** Schema of a tool's parameter that the field is passed to. */
  schema?: unknown;
  readonly fields: Map<string, Field>;
  /** A reference looks into the field by index. */
  isList?: boolean;
}

/**
 * The input schema of a workflow, derived from its references: each `$.input.city` is a required
 * field. Where a field is passed to a tool as a whole argument, it has the schema of that
 * parameter.
 */
export function workflowInputSchema(workflow: Workflow, tools: WorkflowTools): WorkflowInputSchema {
  const root: Field = { fields: new Map() };
  const references = inputReferences(workflow);
  for (const reference of references) addField(root, reference, tools);
  return {
    ...objectSchema(root),
    // `$.input` passes everything on, so nothing is superfluous.
    additionalProperties: references.some(({ path }) => path.length === 0),
  };
}

function addField(root: Field, { path, tool, argument }: InputReference, tools: WorkflowTools): void {
  let field = root;
  for (const key of path) {
    if (typeof key === 'number') {
      field.isList = true;
      return;
    }
    const next = field.fields.get(key) ?? { fields: new Map<string, Field>() };
    field.fields.set(key, next);
    field = next;
  }
  if (field !== root) field.schema ??= parameterSchema(tools, tool, argument);
}

function parameterSchema(tools: WorkflowTools, tool: string | undefined, argument: string | undefined): unknown {
  const found = tool !== undefined && Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  const properties = typeof found === 'object' ? found.inputSchema?.['properties'] : undefined;
  if (typeof properties !== 'object' || properties === null || argument === undefined || !Object.hasOwn(properties, argument))
    return undefined;
  return (properties as Readonly<Record<string, unknown>>)[argument];
}

function objectSchema({ fields }: Field): Omit<WorkflowInputSchema, 'additionalProperties'> {
  return {
    type: 'object',
    properties: Object.fromEntries(Array.from(fields, ([name, field]) => [name, fieldSchema(field)])),
    required: [...fields.keys()],
  };
}

function fieldSchema(field: Field): unknown {
  if (field.schema !== undefined) return structuredClone(field.schema);
  if (field.fields.size > 0) return objectSchema(field);
  return field.isList === true ? { type: 'array' } : {};
}

/**
 * Returns the input if it has the fields of the schema.
 *
 * @throws {SkillError} `invalid-input` for something else, or for a field that no step reads
 */
export function checkedInput(
  input: unknown,
  { properties, additionalProperties }: WorkflowInputSchema,
  skill: string,
): Readonly<Record<string, unknown>> {
  const expected = Object.keys(properties).join(', ') || 'none';
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new SkillError('invalid-input', `The input must be an object with the fields: ${expected}.`, { skill });
  const unknown = Object.keys(input).filter((field) => !Object.hasOwn(properties, field));
  if (unknown.length > 0 && !additionalProperties)
    throw new SkillError('invalid-input', `The input has the unknown fields ${unknown.slice(0, 10).join(', ')}. Fields: ${expected}.`, {
      skill,
    });
  return input as Readonly<Record<string, unknown>>;
}
