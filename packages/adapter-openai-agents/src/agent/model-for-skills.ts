import type { Model, ModelRequest } from '@openai/agents-core';

/** The model that loaded skills ask for: an agent cannot change its own during a run. */
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
