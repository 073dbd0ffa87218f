import type { ToolApprovalStatus, ToolSet } from 'ai';
import type { AiSdkOwnApproval, AiSdkToolApproval, AiSdkApprovalCall } from '../ai-sdk-skills-options.ts';
import type { HostTools } from '../tools/host-tools.ts';
import { approvalOf } from './approval-of.ts';

/** Options of {@link composeToolApproval}. */
export interface ComposeToolApprovalOptions {
  readonly hostTools: HostTools;
  /** Skill tools without approvals by skills: all but the one that runs scripts. */
  readonly skillTools: readonly string[];
  readonly own: AiSdkOwnApproval | undefined;
}

/**
 * Combines approvals by skills with those of the host. A call that a skill forbids is denied,
 * whatever the host says. A call that a skill pre-approves needs no person, unless the host denies
 * it. A call that `approvals` of
 * the skillset ask about goes to a person, whatever else says that it may run. All other calls
 * follow the host's approval and the tool's `needsApproval`.
 */
export function composeToolApproval({ hostTools, skillTools, own }: ComposeToolApprovalOptions): AiSdkToolApproval {
  return async (call) => {
    const { toolName, input, toolCallId } = call.toolCall;
    if (skillTools.includes(toolName) && !hostTools.asksPerson) return ownStatus(own, call);
    const verdict = await hostTools.judge(toolName, input, call.messages, toolCallId);
    if (verdict.decision === 'denied') return { type: 'denied', reason: verdict.because };
    const status = await ownStatus(own, call);
    const type = typeof status === 'string' ? status : status?.type;
    if (verdict.decision === 'needs-approval' && type !== 'denied') {
      // Nobody is asked here what staff answers: the call itself says that it waits.
      if (verdict.question.whom === 'staff') return status;
      if (approvalOf(call.messages, toolCallId) === undefined) await hostTools.ask(toolName, input, call.messages, toolCallId);
      return 'user-approval';
    }
    return type === 'user-approval' && verdict.decision === 'pre-approved' ? 'approved' : status;
  };
}

async function ownStatus(own: AiSdkOwnApproval | undefined, call: AiSdkApprovalCall): Promise<ToolApprovalStatus> {
  if (typeof own === 'function') return own(call as never);
  const { toolCall, messages, runtimeContext } = call;
  const { toolName, toolCallId, input } = toolCall;
  const toolContext = field(call.toolsContext, toolName);
  const status = field(own, toolName) as ToolApprovalStatus | OwnForTool;
  if (typeof status === 'function') return status(input, { toolCallId, messages, toolContext, runtimeContext });
  if (status !== undefined && status !== null) return status;
  return needsApproval(field(call.tools, toolName) as ToolSet[string] | undefined, input, { toolCallId, messages, context: toolContext });
}

type OwnForTool = (input: unknown, options: Record<string, unknown>) => ToolApprovalStatus | PromiseLike<ToolApprovalStatus>;

/** What the SDK asks without an approval function, which must not turn it off. */
async function needsApproval(
  tool: ToolSet[string] | undefined,
  input: unknown,
  options: Record<string, unknown>,
): Promise<ToolApprovalStatus> {
  const needed: unknown = tool?.needsApproval;
  const answer: unknown = typeof needed === 'function' ? await (needed as OwnForTool)(input, options) : needed;
  return answer === true ? 'user-approval' : undefined;
}

/** Names come from messages, so inherited properties must not count. */
function field(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, name)
    ? (object as Record<string, unknown>)[name]
    : undefined;
}
