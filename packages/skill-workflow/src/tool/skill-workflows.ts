import { isTrusted, SkillError, type Skill, type SkillEvent, type SkillState, type SkillWorkflows } from '@repertoire/skills-core';
import {
  loadedSkill,
  reduceSkillState,
  type SkillEngine,
  type SkillTool,
  type SkillToolContext,
  type SkillToolResult,
} from '@repertoire/skills-core/adapter';
import {
  assertKnownOptions,
  assertInForce,
  callKey,
  contentOfSkill,
  errorForModel,
  frame,
  identityOf,
  insideElement,
  isInterrupt,
  isModelInvocable,
  loadEvent,
  messageOf,
  numberOption,
  quoteWord,
  runTool,
  skillNotFound,
  spanAttributes,
  tellProgress,
  ToolInput,
  type NamedSkill,
  type OptionRules,
  type SkillToolHost,
  objectOf,
} from '@repertoire/skills-core/internal';
import { outputOf, recordAnswer } from '../agent/recorded-failure.ts';
import { parseWorkflow } from '../parse/parse-workflow.ts';
import { failureText, resultText } from '../prompt/prompt-request.ts';
import { executionRules, runBegun, type ExecuteWorkflowOptions } from '../run/execute-workflow.ts';
import { callRunner, refuseMissingInput } from '../run/call-runner.ts';
import type { RunStep } from '../run/run-step.ts';
import { WorkflowError } from '../run/workflow-error.ts';
import { notify, progressLine } from '../run/workflow-progress.ts';
import { beginStep, begunOf, recordOf, type BegunWorkflow } from '../run/workflow-record.ts';
import { toolFunction, type WorkflowTool } from '../run/workflow-tool-function.ts';
import type { Workflow } from '../workflow.ts';
import { checkedInput, workflowInputSchema } from './input-schema.ts';
import { describeWorkflowTool, workflowText } from '../prompt/workflow-texts.ts';

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

/** What a call of the tool recorded when it began. */
interface BegunCall extends BegunWorkflow {
  readonly skill: NamedSkill;
  /** The skill as if the model had loaded it; `null` if it has. */
  readonly load: SkillEvent | null;
}

/**
 * Lets an agent run the workflow skills of a skillset. It gives the session the tool
 * `run_skill_workflow`, and tells the model the steps and the input of a workflow skill when the
 * skill is loaded. Skills that are not trusted do not run. Each call of a tool passes the session's
 * gates. In a durable run, the start of the workflow and each of its calls are steps of the engine.
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
    // Finds what is missing before the model sees the workflow.
    callRunner(workflow, execution);
    return workflow;
  }

  /**
   * Reads the skill and checks everything: a trusted, selected skill that this session may load. It
   * need not be loaded, since the model decides nothing between the steps.
   */
  async function begin(host: SkillToolHost, fields: ToolInput, context: SkillToolContext): Promise<BegunCall> {
    const asked = fields.requiredText('skill', 'name', 'skill_name', 'skill_id', 'workflow');
    const { audience, doors } = host;
    const inUse = await doors.inUse(asked, context);
    const { skill, loaded, grants } = inUse;
    assertRuns(host, skill, context.state);
    if (!grants.has('scripts')) throw notRun(skill.name, 'no person approved that');
    await audience.assertAllowed('load', skill);
    await assertInForce(host, inUse, context);
    const load =
      loaded === undefined ? loadEvent(skill, { content: await contentOfSkill(host.provider, skill, context), texts: [] }) : null;
    const workflow = workflowOf(skill);
    const input = checkedInput(objectOf(fields, 'input', 'arguments') ?? {}, workflowInputSchema(workflow, tools), skill.name);
    refuseMissingInput(workflow, input);
    const { name, version, origin } = skill;
    return { workflow, input, load, skill: { name, version, ...(origin !== undefined && { origin }) } };
  }

  async function run(
    host: SkillToolHost,
    begun: BegunCall,
    context: SkillToolContext,
    how: Pick<ExecuteWorkflowOptions, 'runStep' | 'workflowId'>,
  ): Promise<Pick<SkillToolResult, 'text' | 'error'>> {
    const { signal, engine } = context;
    const unpin = begun.load === null ? undefined : engine?.pin?.(begun.load);
    // Each call is judged as if the skill were loaded: the model could load it at any time.
    const state = begun.load === null ? context.state : reduceSkillState(context.state, begun.load, host.activation);
    const judged = Object.keys(tools).map((name): [string, WorkflowTool] => [
      name,
      async (input, call) => {
        await host.assertCallAllowed(state, { tool: name, input });
        call.signal?.throwIfAborted();
        return await toolFunction(tools, name)?.(input, call);
      },
    ]);
    try {
      const { output } = await runBegun(begun, {
        ...execution,
        ...how,
        tools: Object.fromEntries(judged),
        signal,
        onProgress(progress) {
          notify(execution.onProgress, progress);
          tellProgress(context, progressLine(progress));
        },
      });
      return { text: resultText(output, maxCharacters) };
    } catch (thrown) {
      signal?.throwIfAborted();
      if (isInterrupt(thrown)) throw thrown;
      const error = SkillError.isInstance(thrown) ? thrown : new SkillError('step-failed', messageOf(thrown), { cause: thrown });
      return { text: error instanceof WorkflowError ? failureText(String(error), Object.keys(error.steps)) : String(error), error };
    } finally {
      unpin?.();
    }
  }

  function tool(host: SkillToolHost): SkillTool {
    const { conversation, events, names } = host;
    return {
      ...describeWorkflowTool(names),
      execute: (input, context) =>
        runTool(names.runWorkflow, events, context, async (span) => {
          const { engine, signal } = context;
          const workflowId = callKey(conversation, context);
          const first = (): Promise<BegunCall> => begin(host, new ToolInput(names.runWorkflow, input), context);
          const runStep = engine && stepsOf(engine, context.callId ?? names.runWorkflow, signal);
          const begun =
            runStep === undefined
              ? await first()
              : (begunOf(await runStep(beginStep, async () => recordOf(await first(), workflowId)), workflowId) as unknown as BegunCall);
          const { skill } = begun;
          span.set(spanAttributes(skill));
          const result = await run(host, begun, context, { runStep, workflowId });
          const { error } = result;
          if (error !== undefined) span.fail(error.code);
          events.emit({ type: 'workflow_run', ...(error !== undefined && { error: error.code }), ...identityOf(skill) });
          return { ...result, events: [] };
        }),
    };
  }

  return {
    describeTool: describeWorkflowTool,
    tool,
    describe({ names, events }, skill) {
      // Steps choose tools and their input.
      if (skill.steps === undefined || !isTrusted(skill)) return '';
      try {
        const workflow = workflowOf(skill);
        const steps = workflow.steps.map(({ name }) => name);
        const schema = insideElement(JSON.stringify(workflowInputSchema(workflow, tools)));
        return frame('skill_workflow', {}, `${workflowText(skill.name, steps, names.runWorkflow)}\n${schema}`);
      } catch (thrown) {
        if (!SkillError.isInstance(thrown)) throw thrown;
        events.report({
          code: 'workflow-not-offered',
          severity: 'warning',
          message: errorForModel(`The workflow of the skill cannot run: ${thrown.message}`),
          skill: skill.name,
        });
        return '';
      }
    },
  };
}

/** Returns the steps of one call of the tool. */
function stepsOf({ runStep, isInterrupt: isCut }: SkillEngine, callId: string, signal: AbortSignal | undefined): RunStep {
  return async (id, work) =>
    outputOf(
      await runStep(`${callId} ${id}`, (engineSignal) =>
        recordAnswer(
          () => work(engineSignal),
          (error) => isInterrupt(error) || isCut?.(error) === true || engineSignal?.aborted === true || signal?.aborted === true,
        ),
      ),
    );
}

/**
 * @throws {SkillError} if it has no steps, is not trusted, or was closed to models since it was
 *   listed
 */
function assertRuns({ catalog }: SkillToolHost, skill: Skill, state: SkillState): void {
  const { name } = skill;
  if (!isModelInvocable(skill) && loadedSkill(state, name) === undefined) throw skillNotFound(catalog.skills, name);
  if (!isTrusted(skill)) throw notRun(name, 'its source is not trusted');
  if (skill.steps === undefined)
    throw new SkillError('unsupported', `Skill ${quoteWord(name)} has no workflow. Load it, and follow its instructions.`, { skill: name });
}

function notRun(skill: string, why: string): SkillError {
  return new SkillError('permission-denied', `The workflow of skill ${quoteWord(skill)} is not run: ${why}.`, { skill });
}
