import type { SkillError, SkillSession } from '@repertoire/skills-core';
import { settleCall, type SkillCallVerdict } from '@repertoire/skills-core/adapter';
import type { ModelMessage, ToolApprovalStatus, ToolSet } from 'ai';
import type { AiSdkApprovalCall, AiSdkOwnApproval, AiSdkReport, AiSdkToolApproval } from '../ai-sdk-skills-options.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import { aroundExecute } from './around-execute.ts';

const maxCalls = 10_000;

/** The host's tools as a session judges them. */
export class HostTools {
  /** Whether the skillset has `approvals`. */
  readonly asksPerson: boolean;
  readonly #session: SkillSession;
  readonly #state: ConversationState;
  readonly #report: AiSdkReport;
  readonly #canFork: boolean;
  /**
   * Guarded calls until the next step shows their results, counted by their ids, because
   * conversations that share one `aiSdkSkills` may use the same ids. A call without a next step,
   * such as an aborted one, stays; of those the oldest are forgotten.
   */
  readonly #guarded = new Map<string, number>();
  readonly #noticed = new WeakSet<ModelMessage>();

  constructor(session: SkillSession, state: ConversationState, report: AiSdkReport, canFork: boolean) {
    this.asksPerson = session.approvals !== undefined;
    this.#session = session;
    this.#state = state;
    this.#report = report;
    this.#canFork = canFork;
  }

  /** Whether a call would need a person, or be refused. Nothing is recorded. */
  judge(tool: string, input: unknown, messages: readonly ModelMessage[], id?: string): Promise<SkillCallVerdict> {
    return this.#session.judgeCall(this.#state.atStep(messages), { tool, input, id }, { canFork: this.#canFork });
  }

  /**
   * Combines approvals by skills with those of the host. A call that a skill forbids is denied,
   * whatever the host says. A call that a skill pre-approves needs no person, unless the host
   * denies it. A call that `approvals` of the skillset ask about goes to a person, whatever else
   * says that it may run. All other calls follow the host's approval and the tool's
   * `needsApproval`.
   *
   * @param skillTools skill tools without approvals by skills: all but the one that runs scripts
   */
  toolApproval(skillTools: readonly string[], own: AiSdkOwnApproval | undefined): AiSdkToolApproval {
    return async (call) => {
      const { toolName, input, toolCallId } = call.toolCall;
      if (skillTools.includes(toolName) && !this.asksPerson) return ownStatus(own, call);
      const verdict = await this.judge(toolName, input, call.messages, toolCallId);
      if (verdict.decision === 'denied') return { type: 'denied', reason: verdict.because };
      const status = await ownStatus(own, call);
      const type = typeof status === 'string' ? status : status?.type;
      if (verdict.decision === 'needs-approval' && type !== 'denied') {
        // Nobody is asked here what staff answers: the call itself says that it waits.
        if (verdict.question.whom === 'staff') return status;
        // Only a call that was not asked about is.
        if (approvalOf(call.messages, toolCallId) === undefined)
          await this.#session.approvals?.ask(this.#state.atStep(call.messages), { tool: toolName, input, id: toolCallId });
        return 'user-approval';
      }
      return type === 'user-approval' && verdict.decision === 'pre-approved' ? 'approved' : status;
    };
  }

  /** Why a call is refused; `null` if it is allowed, or if it was asked about and answered. */
  async refusal(
    tool: string,
    input: unknown,
    { messages, toolCallId: id }: { readonly messages: readonly ModelMessage[]; readonly toolCallId: string },
  ): Promise<SkillError | null> {
    const { approvals, tools } = this.#session;
    const verdict = await this.judge(tool, input, messages, id);
    if (verdict.decision === 'denied') return verdict.error;
    if (verdict.decision !== 'needs-approval') return null;
    return await settleCall(approvals, verdict, {
      state: this.#state.atStep(messages),
      call: { tool, input, id },
      isSkillTool: tools.some(({ name }) => name === tool),
      isYes: approvalOf(messages, id)?.approved === true,
    });
  }

  /**
   * A tool of the host that refuses to run while it is closed. The refusal is thrown, as the SDK
   * expects: it becomes a `tool-error` whose text the model reads, the loop continues, and the
   * output type of the tool does not change.
   *
   * The check is in the tool's own `execute`, because every path to the tool goes through it. One
   * such path is the run of a call that a person approved earlier, for which the SDK consults
   * neither `activeTools` nor `prepareStep`.
   *
   * @param isDeferred keeps the tool out of the model's context until its skill refers to it, which
   *   Anthropic's API supports
   */
  guard(name: string, tool: ToolSet[string], isDeferred: boolean): ToolSet[string] {
    const session = this.#session;
    const isGated = session.isGated(name);
    if (!isGated && !session.restricts && !this.asksPerson) return tool;
    const { metadata, providerOptions, needsApproval } = tool;
    const asksUnlessDenied = async (input: unknown, call: { readonly messages: ModelMessage[] }): Promise<boolean> => {
      if ((await this.judge(name, input, call.messages)).decision === 'denied') return false;
      return typeof needsApproval === 'function' ? await needsApproval.call(tool, input as never, call as never) : needsApproval === true;
    };
    const guarded = aroundExecute(tool, {
      before: async (input, call) => {
        const error = await this.refusal(name, input, call);
        this.#count(name, call.toolCallId);
        if (error !== null) throw error;
      },
    });
    return {
      ...guarded,
      ...(needsApproval !== undefined && { needsApproval: asksUnlessDenied }),
      ...(isGated && { metadata: { ...metadata, repertoire: { openedBy: [...session.openedBy(name)] } } }),
      ...(isDeferred && { providerOptions: { ...providerOptions, anthropic: { ...providerOptions?.['anthropic'], deferLoading: true } } }),
    };
  }

  /** Reports gated tools that ran unguarded, because the bare tool was spread over ours. */
  noticeUnguarded(messages: readonly ModelMessage[]): void {
    const last = messages.at(-1);
    if (last?.role !== 'tool' || this.#noticed.has(last)) return;
    this.#noticed.add(last);
    for (const part of last.content) {
      if (part.type !== 'tool-result' || !this.#session.isGated(part.toolName)) continue;
      if (this.#wasGuarded(part.toolName, part.toolCallId)) continue;
      if (part.output.type === 'error-text' || part.output.type === 'execution-denied') continue;
      this.#report({
        code: 'tool-not-guarded',
        severity: 'error',
        message: `The gated tool ${JSON.stringify(part.toolName)} ran without its guard.`,
        fix: 'Hand it over in `tools` of aiSdkSkills or of agentSettings, and do not spread the bare tool over the guarded one.',
      });
    }
  }

  #count(tool: string, toolCallId: string): void {
    const key = JSON.stringify([tool, toolCallId]);
    const count = this.#guarded.get(key) ?? 0;
    // The newest stand at the end.
    this.#guarded.delete(key);
    this.#guarded.set(key, count + 1);
    const [oldest] = this.#guarded.keys();
    if (this.#guarded.size > maxCalls && oldest !== undefined) this.#guarded.delete(oldest);
  }

  /** Whether such a call went through the guard. Each call answers for one result. */
  #wasGuarded(tool: string, toolCallId: string): boolean {
    const key = JSON.stringify([tool, toolCallId]);
    const count = this.#guarded.get(key) ?? 0;
    if (count > 1) this.#guarded.set(key, count - 1);
    else this.#guarded.delete(key);
    return count > 0;
  }
}

/**
 * The SDK's request for the approval of a call, as the messages have it, and its answer. It tells a
 * call that is to be asked about from one whose yes is checked, for which the SDK calls
 * `toolApproval` again. A client may have written it: it proves that somebody claims to have asked.
 *
 * @returns `undefined` if the messages have no request
 */
function approvalOf(messages: readonly ModelMessage[], toolCallId: string): { readonly approved: boolean | undefined } | undefined {
  const requests = new Set<string>();
  let approved: boolean | undefined;
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-approval-request' && part.toolCallId === toolCallId) requests.add(part.approvalId);
      if (part.type === 'tool-approval-response' && requests.has(part.approvalId)) approved = part.approved;
    }
  }
  return requests.size === 0 ? undefined : { approved };
}

async function ownStatus(own: AiSdkOwnApproval | undefined, call: AiSdkApprovalCall): Promise<ToolApprovalStatus> {
  if (typeof own === 'function') return own(call as never);
  const { toolCall, messages, runtimeContext } = call;
  const { toolName, toolCallId, input } = toolCall;
  const toolContext = field(call.toolsContext, toolName);
  const status = field(own, toolName) as ToolApprovalStatus | OwnForTool;
  if (typeof status === 'function') return status(input, { toolCallId, messages, toolContext, runtimeContext });
  if (status !== undefined && status !== null) return status;
  return askedByTool(field(call.tools, toolName) as ToolSet[string] | undefined, input, { toolCallId, messages, context: toolContext });
}

type OwnForTool = (input: unknown, options: Record<string, unknown>) => ToolApprovalStatus | PromiseLike<ToolApprovalStatus>;

/** What the SDK asks without an approval function, which must not turn it off. */
async function askedByTool(
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
