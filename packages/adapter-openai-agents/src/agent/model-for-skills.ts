import type { AgentOptions, AgentOutputType, Model, ModelRequest } from '@openai/agents-core';
import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { modelAskedFor, stateOfTurns, type NamedModels } from '@repertoire/skills-core/adapter';
import { turnsOfItems } from '../items/turns-of-items.ts';
import type { RecentSessions } from '../run/recent-sessions.ts';

/** What {@link withModels} chooses by. */
export interface ModelChoice {
  /** Models that skills may ask for. @default the agent's own is used */
  readonly models: NamedModels<Model> | undefined;
  readonly sessions: RecentSessions;
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/**
 * The agent with a model that asks, in each call, which one the loaded skills want: an agent cannot
 * change its own during a run.
 *
 * @throws {SkillError} `invalid-options` if there are models and the agent's own is a name
 */
export function withModels<TContext>(
  agent: AgentOptions<TContext, AgentOutputType>,
  { models, sessions, report }: ModelChoice,
): AgentOptions<TContext, AgentOutputType> {
  const { model: own } = agent;
  if (models === undefined) return agent;
  if (typeof own !== 'object')
    throw new SkillError(
      'invalid-options',
      'The option `models` needs agents whose `model` is a Model: the SDK resolves a name after skills were asked.',
    );
  const pick = async ({ input: items, systemInstructions = '' }: ModelRequest): Promise<Model> => {
    const session = sessions.get(systemInstructions);
    if (session === undefined) return own;
    const state = stateOfTurns(session, typeof items === 'string' ? [] : turnsOfItems(items));
    return modelAskedFor(models, await session.model(state), report) ?? own;
  };
  const model: Model = {
    ...(own.supportsPromptModelSelection !== undefined && { supportsPromptModelSelection: own.supportsPromptModelSelection }),
    getResponse: async (request) => (await pick(request)).getResponse(request),
    async *getStreamedResponse(request) {
      yield* (await pick(request)).getStreamedResponse(request);
    },
    getRetryAdvice: (args) => own.getRetryAdvice?.(args),
  };
  return { ...agent, model };
}
