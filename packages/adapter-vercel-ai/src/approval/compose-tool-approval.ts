import type { ToolApprovalStatus, ToolSet } from 'ai';
import type { AiSdkOwnApproval, AiSdkToolApproval, AiSdkApprovalCall } from '../ai-sdk-skills-options.ts';
import type { HostTools } from '../tools/host-tools.ts';

/** What an approval rests on. */
export interface ComposeToolApprovalOptions {
  readonly hostTools: HostTools;
  /** Names of the skill tools that no skill can pre-approve or deny: all but the one that runs scripts. */
  readonly skillTools: readonly string[];
  readonly own: AiSdkOwnApproval | undefined;
}

/**
 * Combines approvals by skills with those of the host. A call that a skill forbids is denied, whatever the host says. One that a skill pre-approves needs no person, unless
 * the host denies it. All others go the host's way, also by the `needsApproval` of a tool.
 */
export function composeToolApproval({ hostTools, skillTools, own }: ComposeToolApprovalOptions): AiSdkToolApproval {
  return async (call) => {
    const { toolName, input } = call.toolCall;
    if (skillTools.includes(toolName)) return ownStatus(own, call);
    const verdict = await hostTools.judge(toolName, input, call.messages);
    if (verdict.decision === 'denied') return { type: 'denied', reason: verdict.because };
    const status = await ownStatus(own, call);
    const type = typeof status === 'string' ? status : status?.type;
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

/** What the SDK itself asks where a call has no approval of its own: an approval in front of it must not turn that off. */
async function needsApproval(
  tool: ToolSet[string] | undefined,
  input: unknown,
  options: Record<string, unknown>,
): Promise<ToolApprovalStatus> {
  const needed: unknown = tool?.needsApproval;
  const answer: unknown = typeof needed === 'function' ? await (needed as OwnForTool)(input, options) : needed;
  return answer === true ? 'user-approval' : undefined;
}

/** Names come from messages, so only own fields count. */
function field(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, name)
    ? (object as Record<string, unknown>)[name]
    : undefined;
}
