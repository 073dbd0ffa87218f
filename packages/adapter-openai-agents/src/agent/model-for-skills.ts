import type { Model, ModelRequest } from '@openai/agents-core';

/**
 * The agent's model, or the one that the loaded skills ask for. It is chosen for each request,
 * because an agent cannot change its model during a run.
 */
export function modelForSkills(own: Model, choose: (request: ModelRequest) => Promise<Model | undefined>): Model {
  const pick = async (request: ModelRequest): Promise<Model> => (await choose(request)) ?? own;
  return {
    ...(own.supportsPromptModelSelection !== undefined && { supportsPromptModelSelection: own.supportsPromptModelSelection }),
    getResponse: async (request) => (await pick(request)).getResponse(request),
    async *getStreamedResponse(request) {
      yield* (await pick(request)).getStreamedResponse(request);
    },
    getRetryAdvice: (args) => own.getRetryAdvice?.(args),
  };
}
