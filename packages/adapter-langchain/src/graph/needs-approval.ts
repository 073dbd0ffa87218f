import type { Skillset } from '@repertoire/skills-core';
import { bindSkills } from '../binding/bind-skills.ts';
import type { SkillsArguments, SkillsOptions } from '../binding/skills-options.ts';
import { runOf } from '../binding/skills-run.ts';

/** A call that may need approval, as `humanInTheLoopMiddleware` describes it. */
export interface ApprovalRequest {
  readonly toolCall: { readonly name: string; readonly args: unknown };
  readonly state: object;
  readonly runtime: unknown;
}

/**
 * Whether a call needs approval: the `when` of `humanInTheLoopMiddleware`. It returns `false` if
 * the call will be refused, if `approvals` of the skillset ask about it by themselves, because its
 * gate is closed or `allowed-tools` forbid it, and if a trusted loaded skill pre-approves it
 * (`allowedTools: skillAllowedTools({ policy: 'pre-approve' })` of the skillset).
 *
 * What is loaded is read from the state, which the middleware only sees within `withSkillState`.
 * Without it, or if the skills cannot be read, a person is always asked. Messages do not count,
 * since a client may have written them.
 *
 * @example
 * ```ts
 * import { withSkillState } from '@repertoire/adapter-langchain';
 * import { needsApproval } from '@repertoire/adapter-langchain/langgraph';
 * import type { Skillset } from '@repertoire/skills-core';
 * import { humanInTheLoopMiddleware } from 'langchain';
 *
 * export const approvals = (skillset: Skillset) =>
 *   withSkillState(humanInTheLoopMiddleware({ interruptOn: { shell: { allowedDecisions: ['approve', 'reject'], when: needsApproval(skillset) } } }));
 * ```
 */
export function needsApproval<Context = undefined>(
  skillset: Skillset<Context>,
  ...[options = {}]: SkillsArguments<Context, Pick<SkillsOptions<Context>, 'context' | 'namespace' | 'stateSecret'>>
): (request: ApprovalRequest) => Promise<boolean> {
  const binding = bindSkills(skillset, options);
  return async ({ toolCall: { name, args }, state, runtime }) => {
    if (!Object.hasOwn(state, binding.channels.loaded_skills)) return true;
    const run = runOf(runtime);
    try {
      const { session, loaded } = await binding.enter(state, run);
      const verdict = await session.judgeCall(loaded, { tool: name, input: args });
      return verdict.decision === 'allowed';
    } catch {
      run.signal?.throwIfAborted();
      return true;
    }
  };
}
