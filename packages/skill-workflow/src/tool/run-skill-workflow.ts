import { isTrusted, SkillError, type Skill, type SkillState } from '@repertoire/skills-core';
import { loadedSkill, reduceSkillState, type SkillTool, type SkillToolContext } from '@repertoire/skills-core/adapter';
import {
  assertPinned,
  contentOfSkill,
  describeWorkflowTool,
  identityOf,
  isModelInvocable,
  loadEvent,
  quoteWord,
  readSkillInUse,
  runTool,
  skillNotFound,
  spanAttributes,
  tellProgress,
  ToolInput,
  type SkillInUse,
  type SkillWorkflowRunner,
  type ToolEnvironment,
} from '@repertoire/skills-core/internal';

/**
 * `run_skill_workflow`: runs the steps of a trusted, selected skill that this session may load. It
 * need not be loaded: the model decides nothing between the steps. Each call of a tool is judged as
 * if the skill were loaded, since the model could load it at any time.
 */
export function runSkillWorkflowTool(environment: ToolEnvironment, runner: SkillWorkflowRunner): SkillTool {
  const { names } = environment;
  const tool = names.runWorkflow;
  return {
    ...describeWorkflowTool(names),
    execute: (input, context) =>
      runTool(tool, environment, context, async (span) => {
        const fields = new ToolInput(tool, input);
        const asked = fields.requiredText('skill', 'name', 'skill_name', 'skill_id', 'workflow');
        const inUse = await readSkillInUse(environment, asked, context);
        const { skill } = inUse;
        span.set(spanAttributes(skill));
        assertRuns(environment, skill, context.state);
        if (!(await environment.present.grantsOf(skill, skill.content, inUse.loaded)).has('scripts')) throw notApproved(skill.name);
        await environment.assertAllowed('load', skill);
        await assertPinned(environment, inUse, context);
        const state = await asIfLoaded(environment, inUse, context);
        const result = await runner.run(skill, {
          input: fields.optionalObject('input', 'arguments') ?? {},
          callId: context.callId,
          signal: context.signal,
          onProgress: (line) => tellProgress(context, line),
          assertCallAllowed: (name, given) => environment.assertCallAllowed(state, { tool: name, input: given }),
        });
        const { error } = result;
        if (error !== undefined) span.fail(error.code);
        environment.emit({ type: 'workflow_run', ...(error !== undefined && { error: error.code }), ...identityOf(skill) });
        return { ...result, events: [] };
      }),
  };
}

function notApproved(skill: string): SkillError {
  return new SkillError('permission-denied', `The workflow of skill ${quoteWord(skill)} is not run: no person approved that.`, { skill });
}

/**
 * @throws {SkillError} if it has no steps, is not trusted, or was closed to models since it was
 *   listed
 */
function assertRuns({ catalog }: ToolEnvironment, skill: Skill, state: SkillState): void {
  const { name } = skill;
  if (!isModelInvocable(skill) && loadedSkill(state, name) === undefined) throw skillNotFound(catalog.skills, name);
  if (!isTrusted(skill)) {
    throw new SkillError('permission-denied', `The workflow of skill ${quoteWord(name)} is not run: its source is not trusted.`, {
      skill: name,
    });
  }
  if (skill.steps === undefined) {
    throw new SkillError('unsupported', `Skill ${quoteWord(name)} has no workflow. Load it, and follow its instructions.`, { skill: name });
  }
}

async function asIfLoaded(
  environment: ToolEnvironment,
  { skill, loaded }: SkillInUse,
  { state, signal }: SkillToolContext,
): Promise<SkillState> {
  if (loaded !== undefined) return state;
  const content = await contentOfSkill(environment.provider, skill, { signal });
  return reduceSkillState(state, loadEvent(skill, { content, texts: [] }), environment.activation);
}
