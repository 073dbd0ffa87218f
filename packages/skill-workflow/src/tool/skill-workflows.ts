import { SkillError, type Skill, type SkillWorkflows } from '@repertoire/skills-core';
import type { SkillToolResult } from '@repertoire/skills-core/adapter';
import { assertKnownOptions, messageOf, numberOption, type OptionRules, type SkillWorkflowRequest } from '@repertoire/skills-core/internal';
import { parseWorkflow } from '../parse/parse-workflow.ts';
import { failureText, resultText } from '../prompt/tool-texts.ts';
import { executeWorkflow, executionRules, type ExecuteWorkflowOptions } from '../run/execute-workflow.ts';
import { callEnvironment } from '../run/prepare-run.ts';
import { WorkflowError } from '../run/workflow-error.ts';
import { toolFunction, type WorkflowTool, type WorkflowTools } from '../run/workflow-tool-function.ts';
import { notify, progressLine } from '../run/workflow-progress.ts';
import type { Workflow } from '../workflow.ts';
import { checkedInput, workflowInputSchema } from './input-schema.ts';
import { skillWorkflowsOf } from './skill-workflows-of.ts';

/** Options of {@link skillWorkflows}. */
export interface SkillWorkflowsOptions extends Omit<ExecuteWorkflowOptions, 'input' | 'signal' | 'workflowId' | 'runStep'> {
  /** The most characters of an output that the model reads. @default 50_000 */
  readonly maxResultCharacters?: number | undefined;
}

const knownOptions: OptionRules<SkillWorkflowsOptions> = {
  ...executionRules,
  maxResultCharacters: 'number',
  concurrency: 'number',
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
    // What is missing is found before the model is told of the workflow.
    callEnvironment(workflow, execution);
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

/** The same tools, asking the session first: a workflow opens no closed tool. */
function judgedTools(tools: WorkflowTools, assertCallAllowed: SkillWorkflowRequest['assertCallAllowed']): WorkflowTools {
  return Object.fromEntries(
    Object.keys(tools).map((name): [string, WorkflowTool] => [
      name,
      async (input, context) => {
        await assertCallAllowed(name, input);
        context.signal?.throwIfAborted();
        return await toolFunction(tools, name)?.(input, context);
      },
    ]),
  );
}
