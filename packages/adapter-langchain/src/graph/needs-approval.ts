import type { BaseMessage } from '@langchain/core/messages';
import type { Skillset } from '@repertoire/skills-core';
import type { SkillsOptions } from '../binding/skills-options.ts';
import { bindSkills } from '../binding/bind-skills.ts';
import { runOf } from '../binding/skills-run.ts';
import { transcriptOfMessages } from '../messages/transcript-of-messages.ts';

/** A call that may need a person, as `humanInTheLoopMiddleware` asks. */
export interface ApprovalRequest {
  readonly toolCall: { readonly name: string; readonly args: unknown };
  readonly state: { readonly messages: readonly BaseMessage[] };
  readonly runtime: unknown;
}

/**
 * Whether a call needs a person: the `when` of `humanInTheLoopMiddleware`. It does not if a trusted loaded skill pre-approves it, under
 * `allowedTools: 'pre-approve'` of the skillset, and not if the call is refused anyway. What is loaded is read from the messages, which is all
 * that the middleware shows; if a summary cut them, a person is asked again.
 *
 * @example
 * ```ts
 * import { needsApproval } from '@repertoire/adapter-langchain/langgraph';
 * import type { Skillset } from '@repertoire/skills-core';
 * import { humanInTheLoopMiddleware } from 'langchain';
 *
 * export const approvals = (skillset: Skillset) =>
 *   humanInTheLoopMiddleware({ interruptOn: { shell: { allowedDecisions: ['approve', 'reject'], when: needsApproval(skillset) } } });
 * ```
 */
export function needsApproval<Context = undefined>(
  skillset: Skillset<Context>,
  options: Pick<SkillsOptions<Context>, 'context'> = {},
): (request: ApprovalRequest) => Promise<boolean> {
  const binding = bindSkills(skillset, options);
  return async ({ toolCall: { name, args }, state, runtime }) => {
    const session = await binding.open(state, runOf(runtime));
    const verdict = await session.judgeCall(session.state(transcriptOfMessages(state.messages)), { tool: name, input: args });
    return verdict.decision === 'allowed';
  };
}
