import { isTrusted, SkillError, type Skill, type SkillState } from '@repertoire/skills-core';
import { loadedSkill, reduceSkillState, type SkillTool } from '@repertoire/skills-core/adapter';
import {
  describeTool,
  findSkillInUse,
  identityOf,
  isModelInvocable,
  listedRevision,
  quoteWord,
  readSkillInUse,
  runTool,
  skillNotFound,
  spanAttributes,
  tellProgress,
  ToolInput,
  type SkillWorkflowRunner,
  type ToolEnvironment,
} from '@repertoire/skills-core/internal';

/**
 * `run_skill_workflow`: runs the steps of a trusted, selected skill that this session may load. It need not be loaded: the model decides
 * nothing between the steps. Each call of a tool is judged as if the skill were loaded, since the model could load it at any time.
 */
export function runSkillWorkflowTool(environment: ToolEnvironment, runner: SkillWorkflowRunner): SkillTool {
  const { catalog, names } = environment;
  const tool = names.runWorkflow;
  return {
    ...describeTool('runWorkflow', names),
    execute: (input, context) =>
      runTool(tool, environment, context, async (span) => {
        const fields = new ToolInput(tool, input);
        const known = findSkillInUse(catalog, context.state, fields.requiredText('skill', 'name', 'skill_name', 'skill_id', 'workflow'));
        const skill = await readSkillInUse(environment, known, context);
        span.set(spanAttributes(skill));
        assertRuns(environment, skill, context.state);
        await environment.assertAllowed('load', skill);
        const state = asIfLoaded(environment, skill, context.state);
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

/** @throws {SkillError} if it has no steps, is not trusted, or was closed to models since it was listed */
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

function asIfLoaded(environment: ToolEnvironment, skill: Skill, state: SkillState): SkillState {
  const { name, version } = skill;
  const revision = listedRevision(environment, skill);
  const loaded = loadedSkill(state, name);
  if (loaded?.version === version && loaded.revision === revision) return state;
  return reduceSkillState(state, { type: 'loaded', name, version, revision, fingerprint: '' }, environment.activation);
}
