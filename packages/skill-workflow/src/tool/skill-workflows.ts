import { SkillError, type Skill, type SkillWorkflows } from '@repertoire/skills-core';
import type { SkillToolResult } from '@repertoire/skills-core/adapter';
import { assertKnownOptions, numberOption, type SkillWorkflowRequest, type OptionRules } from '@repertoire/skills-core/internal';
import { parseWorkflow } from '../parse/parse-workflow.ts';
import { failureText, resultText } from '../prompt/tool-texts.ts';
import { executeWorkflow, type ExecuteWorkflowOptions } from '../run/execute-workflow.ts';
import { messageOf } from '../run/message-of.ts';
import { notify } from '../run/notify.ts';
import { WorkflowError } from '../run/workflow-error.ts';
import { progressLine } from '../run/workflow-progress.ts';
import type { Workflow } from '../workflow.ts';
import { judgedTools } from './judged-tools.ts';
import { checkedInput, workflowInputSchema } from './input-schema.ts';
import { skillWorkflowsOf } from './skill-workflows-of.ts';

/** Options of {@link skillWorkflows}. */
export interface SkillWorkflowsOptions extends Omit<ExecuteWorkflowOptions, 'input' | 'signal' | 'workflowId' | 'runStep'> {
  /** The most characters of an output that the model reads. @default 50_000 */
  readonly maxResultCharacters?: number | undefined;
}

const knownOptions: OptionRules<SkillWorkflowsOptions> = {
  maxResultCharacters: 'number',
  tools: '{}',
  generate: '()',
  approve: '()',
  policy: { '{}': true, '()': true },
  concurrency: 'number',
  maxOutputCharacters: 'number',
  onProgress: '()',
};

/**
 * Lets an agent run the workflow skills of a skillset. It gives the session the tool
 * `run_skill_workflow`, and tells the model the steps and the input of a workflow skill when the
 * skill is loaded. Skills that are not trusted do not run. Each call of a tool passes the session's
 * gates.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist or is out of range
 * @example
 * ```ts
 * import { skillWorkflows, type WorkflowTools } from '@repertoire/skill-workflow';
 * import { createSkillset, type SkillProvider } from '@repertoire/skills-core';
 *
 * export function withWorkflows(provider: SkillProvider, tools: WorkflowTools) {
 *   return createSkillset({ provider, workflows: skillWorkflows({ tools }) });
 * }
 * ```
 */
export function skillWorkflows(options: SkillWorkflowsOptions): SkillWorkflows {
  assertKnownOptions('skillWorkflows', options, knownOptions);
  const { maxResultCharacters, ...execution } = options;
  const tools = execution.tools ?? {};
  const maxCharacters = numberOption('maxResultCharacters', maxResultCharacters, { of: 'skillWorkflows', fallback: 50_000, least: 100 });

  function workflowOf(skill: Skill): Workflow {
    const workflow = parseWorkflow(skill, { tools: Object.keys(tools) });
    if (execution.generate === undefined && workflow.steps.some(({ type }) => type === 'prompt'))
      throw new SkillError('invalid-options', `The workflow "${skill.name}" has prompt steps. Pass generate.`, { skill: skill.name });
    if (execution.approve === undefined && workflow.steps.some(({ type }) => type === 'approval'))
      throw new SkillError('invalid-options', `The workflow "${skill.name}" asks a person. Pass approve.`, { skill: skill.name });
    return workflow;
  }

  async function run(skill: Skill, request: SkillWorkflowRequest): Promise<Pick<SkillToolResult, 'text' | 'error'>> {
    const workflow = workflowOf(skill);
    const { signal, callId: workflowId } = request;
    try {
      const { output } = await executeWorkflow(workflow, {
        ...execution,
        tools: judgedTools(tools, request.assertCallAllowed),
        input: checkedInput(request.input, workflowInputSchema(workflow, tools), skill.name),
        workflowId,
        signal,
        onProgress(progress) {
          notify(execution.onProgress, progress);
          request.onProgress?.(progressLine(progress));
        },
      });
      return { text: resultText(output, maxCharacters) };
    } catch (thrown) {
      signal?.throwIfAborted();
      return failed(thrown);
    }
  }

  return skillWorkflowsOf({
    describe(skill) {
      const workflow = workflowOf(skill);
      return { steps: workflow.steps.map(({ name }) => name), inputSchema: workflowInputSchema(workflow, tools) };
    },
    run,
  });
}

function failed(thrown: unknown): Pick<SkillToolResult, 'text' | 'error'> {
  const error = SkillError.isInstance(thrown) ? thrown : new SkillError('step-failed', messageOf(thrown), { cause: thrown });
  const text = error instanceof WorkflowError ? failureText(String(error), Object.keys(error.steps)) : String(error);
  return { text, error };
}
