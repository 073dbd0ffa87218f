import { emptySkillState, isTrusted, SkillError, type OpenRequest, type SkillMetadata, type Skillset } from '@repertoire/skills-core';

/** What the steps of one skill gave. */
export interface AgentWorkflowRun {
  readonly skill: string;
  /** The output of the last step: a text, or JSON. */
  readonly text: string;
}

/** Runs the steps of the skills that have any. See `WorkspaceAgent.run`. */
export async function runSteps<Context>(
  agent: string,
  skillset: Skillset<Context>,
  skills: readonly SkillMetadata[],
  input: Readonly<Record<string, unknown>>,
  request: OpenRequest<Context> | undefined,
): Promise<readonly AgentWorkflowRun[]> {
  const named = skills.filter((skill) => skill.steps !== undefined && isTrusted(skill));
  if (named.length === 0)
    throw new SkillError('unsupported', `No trusted skill of agent ${JSON.stringify(agent)} has steps, so nothing runs.`);
  const session = await (skillset as Skillset<unknown>).open(request);
  const tool = session.tools.find(({ role }) => role === 'runWorkflow');
  if (tool === undefined) {
    throw new SkillError(
      'invalid-options',
      `Nothing runs the steps of agent ${JSON.stringify(agent)}. Give loadAgent skillset: { workflows: skillWorkflows({ tools }) }, of @repertoire/skill-workflow.`,
    );
  }
  const runs: AgentWorkflowRun[] = [];
  for (const { name } of named) {
    const { text, error } = await tool.execute({ skill: name, input }, { state: emptySkillState, signal: request?.signal });
    if (error !== undefined) throw error;
    runs.push({ skill: name, text });
  }
  return runs;
}
