import type { SkillSession } from '@repertoire/skills-core';
import type { SkillCallVerdict } from '@repertoire/skills-core/adapter';
import type { ModelMessage, ToolSet } from 'ai';
import type { AiSdkReport } from '../ai-sdk-skills-options.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import { gateTool } from './gate-tool.ts';

/** How many calls are remembered, to notice those that bypassed the guard. */
const maxCalls = 1_000;

/** The host's tools as a session judges them. */
export interface HostTools {
  isGated(tool: string): boolean;
  judge(tool: string, input: unknown, messages: readonly ModelMessage[]): Promise<SkillCallVerdict>;
  /** The tool as the SDK gets it: it refuses in its own execution while it is closed. */
  guard(name: string, tool: ToolSet[string], options?: { readonly deferred?: boolean | undefined }): ToolSet[string];
  /**
   * Reports results of gated tools that bypassed the guard, because the host spread the bare tool
   * over the guarded one.
   */
  noticeUnguarded(messages: readonly ModelMessage[]): void;
}

export function hostTools(session: SkillSession, state: ConversationState, report: AiSdkReport): HostTools {
  const guarded = new Set<string>();
  const judge: HostTools['judge'] = (tool, input, messages) => session.judgeCall(state.atStep(messages), { tool, input });

  return {
    isGated: (tool) => session.isGated(tool),
    judge,
    guard(name, tool, { deferred } = {}) {
      if (!session.isGated(name) && !session.restricts) return tool;
      return gateTool(tool, {
        openedBy: session.openedBy(name),
        isGated: session.isGated(name),
        deferred,
        isDenied: async (input, { messages }) => (await judge(name, input, messages)).decision === 'denied',
        async refusal(input, { messages, toolCallId }) {
          const verdict = await judge(name, input, messages);
          if (guarded.size >= maxCalls) guarded.clear();
          guarded.add(toolCallId);
          return verdict.decision === 'denied' ? verdict.error : null;
        },
      });
    },
    noticeUnguarded(messages) {
      const last = messages.at(-1);
      if (last?.role !== 'tool') return;
      for (const part of last.content) {
        if (part.type !== 'tool-result' || !session.isGated(part.toolName) || guarded.has(part.toolCallId)) continue;
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
