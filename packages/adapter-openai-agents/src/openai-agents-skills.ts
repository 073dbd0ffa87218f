import { SkillError, type SkillProvider, type Skillset } from '@repertoire/skills-core';
import { skillsetOf, type ContextArguments, restoreRules, adapterReporter } from '@repertoire/skills-core/adapter';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { openSession } from './agent/bind-agent.ts';
import { restoreFilter } from './agent/restore.ts';
import { SkillsAgents } from './agent/skills-agents.ts';
import type { OpenAiAgentsSkills, OpenAiAgentsSkillsOptions } from './openai-agents-skills-options.ts';
import { restoreRun } from './run/restore-run.ts';
import { runQuestions } from './run/run-questions.ts';
import { invokeSkill } from './user/invoke-skill.ts';

/** The compiler reports an option that is missing here. */
const knownOptions: OptionRules<OpenAiAgentsSkillsOptions> = {
  context: '()',
  conversation: '()',
  state: '()',
  gate: { hide: true, refuse: true },
  models: { '{}': true, '()': true },
  restore: { '{}': restoreRules, false: true },
  fork: '()',
  needsApproval: '{}',
  toolSources: '[]',
  onDiagnostic: '()',
};

/** The option `context` is required if the skillset has a context. */
export type OpenAiAgentsArguments<TContext, Context> = ContextArguments<
  Context,
  OpenAiAgentsSkillsOptions<TContext, Context>,
  { readonly context: (context: TContext) => Context | Promise<Context> }
>;

/**
 * Connects a skillset to agents of the OpenAI Agents SDK. Create it once. It stores nothing about a
 * conversation beyond its runs.
 *
 * @throws {SkillError} `invalid-options` for an unknown option, a name in `needsApproval` that is
 *   no skill tool, or if the first argument is neither a skillset nor a provider
 * @example
 * ```ts
 * import { run } from '@openai/agents-core';
 * import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
 * import { createSkillset, defineSkill } from '@repertoire/skills-core';
 *
 * const skillset = createSkillset({
 *   skills: [defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.', body: 'Five, seven, five.' })],
 * });
 * const skills = openAiAgentsSkills(skillset);
 * const poet = skills.agent({ name: 'poet', instructions: 'You are a poet.' });
 *
 * export const answer = async (question: string) => (await run(poet, question)).finalOutput;
 * ```
 */
export function openAiAgentsSkills<TContext = unknown, Context = undefined>(
  source: Skillset<Context> | SkillProvider,
  ...[options = {}]: OpenAiAgentsArguments<TContext, Context>
): OpenAiAgentsSkills<TContext> {
  assertKnownOptions('openAiAgentsSkills', options, knownOptions);
  const skillset = skillsetOf('openAiAgentsSkills', source);
  refuseUnknownTools(options.needsApproval ?? {}, Object.values(skillset.toolNames));
  const { own, report } = adapterReporter(skillset, options.onDiagnostic);
  const agents = new SkillsAgents<TContext, Context>({ skillset, options, report, own });

  return {
    agent: (given) => agents.make(given),
    callModelInputFilter: restoreFilter((agent) => agents.bindingOf(agent), options, skillset.toolNames.load),
    restoreRun: async (agent, text, context) => restoreRun(agents.bindingOf(agent), agent, text, context),
    questions: (agent, runs, contextOf) => runQuestions(agent, agents.bindingOf(agent), runs, contextOf),
    async state(agent, run) {
      const binding = agents.bindingOf(agent);
      if (binding === undefined) return (await openSession(agents.parts, run.context)).state([]);
      return binding.runs.state(run, await binding.enter(run.context));
    },
    invoke: async (text, before, context) => invokeSkill(agents, text, before, context),
  };
}

function refuseUnknownTools(needsApproval: object, known: readonly string[]): void {
  const unknown = Object.keys(needsApproval).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new SkillError(
    'invalid-options',
    `needsApproval of openAiAgentsSkills names ${JSON.stringify(unknown)}, which is no skill tool. They are ${known.join(', ')}; set needsApproval of your own tools where you define them.`,
  );
}
