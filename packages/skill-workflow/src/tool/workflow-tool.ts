import { SkillError, type SkillToolResult } from '@repertoire/skills-core';
import { numberOption } from '@repertoire/skills-core/provider';
import { parseWorkflow, type ParseWorkflowOptions, type WorkflowSkill } from '../parse/parse-workflow.ts';
import { failureText, resultText, toolDescription } from '../prompt/tool-texts.ts';
import { executeWorkflow, type ExecuteWorkflowOptions } from '../run/execute-workflow.ts';
import { messageOf } from '../run/message-of.ts';
import { notify } from '../run/notify.ts';
import { WorkflowError } from '../run/workflow-error.ts';
import type { WorkflowProgressListener } from '../run/workflow-progress.ts';
import type { Workflow } from '../workflow.ts';
import { workflowInputSchema, type WorkflowInputSchema } from './input-schema.ts';

/** A skill that can be offered as a tool: with the fields that say so. */
export type WorkflowToolSkill = WorkflowSkill & { readonly description: string; readonly disableModelInvocation?: boolean | undefined };

/** What a workflow tool is told about a call. */
export interface WorkflowToolContext {
  /** Ends the run; `execute` rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Id of the run, such as `<conversation>:<tool call id>`. Calls then have idempotency keys. */
  readonly workflowId?: string | undefined;
  /** Gets the progress of this run, beside the listener of the options. */
  readonly onProgress?: WorkflowProgressListener | undefined;
}

/**
 * A workflow as a tool that belongs to no framework, in the shape of the core's `SkillTool`. `execute` never throws into an agent's loop: what goes wrong is an answer
 * that the model can act on. Only an abort rejects.
 */
export interface WorkflowSkillTool {
  readonly role: 'workflow';
  readonly name: string;
  readonly description: string;
  readonly inputSchema: WorkflowInputSchema;
  /** The workflow that it runs. */
  readonly workflow: Workflow;
  execute(input: unknown, context?: WorkflowToolContext): Promise<SkillToolResult>;
}

/** Options of {@link workflowTool}. */
export interface WorkflowToolOptions
  extends Omit<ExecuteWorkflowOptions, 'input' | 'signal' | 'workflowId'>, Pick<ParseWorkflowOptions, 'source' | 'allowUntrusted'> {
  /** Name of the tool. @default `run_` and the name of the skill, with `_` for `-` */
  readonly name?: string | undefined;
  /** The most characters of an output that the model reads. @default 50_000 */
  readonly maxResultCharacters?: number | undefined;
}

const defaultMaxResultCharacters = 50_000;
/** Longer names are refused by model APIs. */
const maxToolNameLength = 64;

/**
 * One tool that runs the workflow of a skill from the first step to the last.
 *
 * @throws {SkillError} `invalid-skill` for steps that are wrong; `permission-denied` for a skill that is not trusted or has `disable-model-invocation`
 * @throws {SkillError} `invalid-options` for a tool or a model that is missing
 * @example
 * ```ts
 * import { workflowTool, type WorkflowSkillTool, type WorkflowTools } from '@repertoire/skill-workflow';
 * import type { Skill } from '@repertoire/skills-core';
 *
 * export function offer(skill: Skill, tools: WorkflowTools): WorkflowSkillTool {
 *   return workflowTool(skill, { tools }); // run_travel_planning
 * }
 * ```
 */
export function workflowTool(skill: WorkflowToolSkill, options: WorkflowToolOptions): WorkflowSkillTool {
  const { name, maxResultCharacters, source, allowUntrusted, ...execution } = options;
  if (skill.disableModelInvocation === true) {
    throw new SkillError(
      'permission-denied',
      `The skill "${skill.name}" has disable-model-invocation: a model may not run it. Run it with runWorkflow.`,
      {
        skill: skill.name,
      },
    );
  }
  const tools = execution.tools ?? {};
  const workflow = parseWorkflow(skill, { tools: Object.keys(tools), source, allowUntrusted });
  if (execution.generate === undefined && workflow.steps.some(({ type }) => type === 'prompt'))
    throw new SkillError('invalid-options', `The workflow "${skill.name}" has prompt steps. Pass generate.`, { skill: skill.name });
  const maxCharacters = numberOption('maxResultCharacters', maxResultCharacters, {
    of: 'workflowTool',
    fallback: defaultMaxResultCharacters,
    least: 100,
  });
  const inputSchema = workflowInputSchema(workflow, tools);
  return {
    role: 'workflow',
    name: name ?? `run_${skill.name.replaceAll('-', '_')}`.slice(0, maxToolNameLength),
    description: toolDescription(skill.description, workflow),
    inputSchema,
    workflow,
    async execute(input, { signal, workflowId, onProgress } = {}) {
      signal?.throwIfAborted();
      try {
        const { output } = await executeWorkflow(workflow, {
          ...execution,
          input: checkedInput(input, inputSchema, skill.name),
          workflowId,
          signal,
          onProgress: (progress) => [execution.onProgress, onProgress].forEach((listener) => notify(listener, progress)),
        });
        return { text: resultText(output, maxCharacters), events: [] };
      } catch (thrown) {
        signal?.throwIfAborted();
        return failed(thrown);
      }
    },
  };
}

function checkedInput(
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

function failed(thrown: unknown): SkillToolResult {
  const error = SkillError.isInstance(thrown) ? thrown : new SkillError('step-failed', messageOf(thrown), { cause: thrown });
  const text = error instanceof WorkflowError ? failureText(String(error), Object.keys(error.steps)) : String(error);
  return { text, events: [], error };
}
