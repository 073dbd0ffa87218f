import type { SkillError, SkillSession } from '@repertoire/skills-core';
import type { SkillCallVerdict } from '@repertoire/skills-core/adapter';
import { settleCall } from '@repertoire/skills-core/adapter';
import type { ModelMessage, ToolSet } from 'ai';
import { approvalOf } from '../approval/approval-of.ts';
import type { AiSdkReport } from '../ai-sdk-skills-options.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import { gateTool } from './gate-tool.ts';
import { guardedCalls } from './guarded-calls.ts';

/** The host's tools as a session judges them. */
export interface HostTools {
  isGated(tool: string): boolean;
  /** Whether the skillset has `approvals`. */
  readonly asksPerson: boolean;
  judge(tool: string, input: unknown, messages: readonly ModelMessage[], toolCallId?: string): Promise<SkillCallVerdict>;
  /** Records that a person is asked about a call. */
  ask(tool: string, input: unknown, messages: readonly ModelMessage[], toolCallId: string): Promise<void>;
  /** Why a call is refused; `null` if it is allowed, or if it was asked about and answered. */
  refusal(
    tool: string,
    input: unknown,
    call: { readonly messages: readonly ModelMessage[]; readonly toolCallId: string },
  ): Promise<SkillError | null>;
  /** The tool as the SDK gets it: it refuses in its own execution while it is closed. */
  guard(name: string, tool: ToolSet[string], options?: { readonly deferred?: boolean | undefined }): ToolSet[string];
  /** Reports gated tools that ran unguarded, because the bare tool was spread over ours. */
  noticeUnguarded(messages: readonly ModelMessage[]): void;
}

export function hostTools(session: SkillSession, state: ConversationState, report: AiSdkReport, canFork: boolean): HostTools {
  const guarded = guardedCalls();
  const noticed = new WeakSet<ModelMessage>();
  const judge: HostTools['judge'] = (tool, input, messages, id) =>
    session.judgeCall(state.atStep(messages), { tool, input, id }, { canFork });
  const refusal: HostTools['refusal'] = async (tool, input, { messages, toolCallId }) => {
    const verdict = await judge(tool, input, messages, toolCallId);
    if (verdict.decision === 'denied') return verdict.error;
    if (verdict.decision !== 'needs-approval') return null;
    return await settleCall(session.approvals, verdict, {
      state: state.atStep(messages),
      call: { tool, input, id: toolCallId },
      isSkillTool: session.tools.some(({ name }) => name === tool),
      isYes: approvalOf(messages, toolCallId)?.approved === true,
    });
  };

  return {
    isGated: (tool) => session.isGated(tool),
    judge,
    asksPerson: session.approvals !== undefined,
    async ask(tool, input, messages, id) {
      await session.approvals?.ask(state.atStep(messages), { tool, input, id });
    },
    refusal,
    guard(name, tool, { deferred } = {}) {
      if (!session.isGated(name) && !session.restricts && session.approvals === undefined) return tool;
      return gateTool(tool, {
        openedBy: session.openedBy(name),
        isGated: session.isGated(name),
        deferred,
        isDenied: async (input, { messages }) => (await judge(name, input, messages)).decision === 'denied',
        async refusal(input, call) {
          const error = await refusal(name, input, call);
          guarded.add(name, call.toolCallId);
          return error;
        },
      });
    },
    noticeUnguarded(messages) {
      const last = messages.at(-1);
      if (last?.role !== 'tool' || noticed.has(last)) return;
      noticed.add(last);
      for (const part of last.content) {
        if (part.type !== 'tool-result' || !session.isGated(part.toolName)) continue;
        if (guarded.take(part.toolName, part.toolCallId)) continue;
        if (part.output.type === 'error-text' || part.output.type === 'execution-denied') continue;
        report({
          code: 'tool-not-guarded',
          severity: 'error',
          message: `The gated tool ${JSON.stringify(part.toolName)} ran without its guard.`,
          fix: 'Hand it over in `tools` of aiSdkSkills or of agentSettings, and do not spread the bare tool over the guarded one.',
        });
      }
    },
  };
}
