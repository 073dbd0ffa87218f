import { isModelInvocable } from '../../catalog/skill-catalog.ts';
import { skillNotFound } from '../../catalog/find-skill.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import type { Skill } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { findSkillInUse } from '../../policy/find-skill-in-use.ts';
import { quoteWord } from '../../prompt/source-words.ts';
import { loadedSkill, reduceSkillState, type SkillState } from '../../state/skill-state.ts';
import { listedRevision } from '../activation/listed-revision.ts';
import { describeTool } from '../describe-tool.ts';
import { readSkillInUse } from '../find-resource.ts';
import { runTool } from '../run-tool.ts';
import type { SkillTool } from '../skill-tool.ts';
import { tellProgress } from '../tell-progress.ts';
import { identityOf, spanAttributes, type ToolEnvironment } from '../tool-environment.ts';
import { ToolInput } from '../tool-input.ts';
import type { SkillWorkflowRunner } from './skill-workflows.ts';

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
