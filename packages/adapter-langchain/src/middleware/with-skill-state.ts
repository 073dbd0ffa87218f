import { StateSchema } from '@langchain/langgraph';
import { SkillError } from '@repertoire/skills-core';
import type { AgentMiddleware } from 'langchain';
import { skillsState, skillsStateOf, type SkillsStateFields } from '../state/skills-state.ts';

/**
 * Returns the same middleware, with hooks that also see what is loaded: `loaded_skills` and
 * `loaded_tools`. LangChain shows each middleware only the part of the state that it declares.
 * `humanInTheLoopMiddleware` needs this for `needsApproval`.
 *
 * @param namespace as in the options of the skillset. @default none
 * @throws {SkillError} `invalid-options` for a middleware that has a `stateSchema`
 * @example
 * ```ts
 * import { withSkillState } from '@repertoire/adapter-langchain';
 * import { needsApproval } from '@repertoire/adapter-langchain/langgraph';
 * import type { Skillset } from '@repertoire/skills-core';
 * import { humanInTheLoopMiddleware } from 'langchain';
 *
 * export const approvals = (skillset: Skillset) =>
 *   withSkillState(
 *     humanInTheLoopMiddleware({ interruptOn: { shell: { allowedDecisions: ['approve', 'reject'], when: needsApproval(skillset) } } }),
 *   );
 * ```
 */
export function withSkillState<Middleware extends object>(middleware: Middleware, namespace?: string): Middleware {
  const { stateSchema } = middleware as Pick<AgentMiddleware, 'stateSchema'>;
  if (stateSchema !== undefined && stateSchema !== null) {
    throw new SkillError(
      'invalid-options',
      'withSkillState takes a middleware without a state of its own. Declare the channels of skillsState in its stateSchema.',
    );
  }
  const fields = namespace === undefined ? skillsState : skillsStateOf(namespace);
  return { ...middleware, stateSchema: new StateSchema({ ...(fields as SkillsStateFields) }) };
}
