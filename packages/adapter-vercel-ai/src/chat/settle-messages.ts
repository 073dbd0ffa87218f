import { notAnsweredText, notRunText, unknownOutcomeStart, unknownOutcomeText } from '@repertoire/skills-core/internal';
import type { UIMessage } from 'ai';
import type { CallOutcome, StartedCall } from './chat-store.ts';

/** A part of a message that is a call. */
export type CallPart = Extract<UIMessage['parts'][number], { toolCallId: string }>;

/** Whether a part of a message is a call. */
export function isCall(part: UIMessage['parts'][number]): part is CallPart {
  return 'toolCallId' in part;
}

/** The name of the tool that a part calls. */
export function toolOf(part: CallPart): string {
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);
}

/** What is known of a conversation that nobody writes. */
interface Left {
  readonly messages: readonly UIMessage[];
  readonly calls: readonly StartedCall[];
  readonly outcomes: ReadonlyMap<string, CallOutcome>;
}

/**
 * Makes of whatever a turn left messages with which a conversation goes on: each call has a result,
 * or waits for a person. A call that ended has what it answered; one that began has an unknown
 * outcome; one that did not begin was not run. Messages that do not change are the same objects.
 *
 * @param hasMovedOn whether the person wrote something else, so that no call waits any more
 */
export function settleMessages({ messages, calls, outcomes }: Left, hasMovedOn: boolean): readonly UIMessage[] {
  const started = new Map(calls.map((call) => [call.id, call]));
  const shown = new Set(messages.flatMap(({ parts }) => parts.filter(isCall).map(({ toolCallId }) => toolCallId)));
  const settled = messages.map((message, index) => {
    const waits = !hasMovedOn && index === messages.length - 1;
    const parts = message.parts.map((part) => (isCall(part) ? settlePart(part, started.has(part.toolCallId), outcomes, waits) : part));
    return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts };
  });
  return calls.filter(({ id }) => !shown.has(id)).reduce<readonly UIMessage[]>((before, call) => withCall(before, call, outcomes), settled);
}

function settlePart(part: CallPart, hasStarted: boolean, outcomes: Left['outcomes'], waits: boolean): CallPart {
  if (isUnknown(part) ? !outcomes.has(part.toolCallId) : isOver(part)) return part;
  const outcome = outcomes.get(part.toolCallId);
  if (outcome !== undefined) return ended(part, outcome);
  if (hasStarted) return ended(part, { error: unknownOutcomeText(toolOf(part)) });
  if (!waits && part.state === 'approval-responded' && !part.approval.approved) return denied(part, part.approval.reason);
  if (part.state === 'approval-requested' || part.state === 'approval-responded') {
    return waits ? part : denied(part, notAnsweredText(toolOf(part)));
  }
  return ended(part, { error: notRunText(toolOf(part)) });
}

function isOver(part: CallPart): boolean {
  if (part.state === 'output-available') return part.preliminary !== true;
  return part.state === 'output-error' || part.state === 'output-denied';
}

/** Whether nobody knows how a call ended. */
function isUnknown(part: UIMessage['parts'][number]): boolean {
  return isCall(part) && part.state === 'output-error' && part.errorText.startsWith(unknownOutcomeStart);
}

/**
 * Of states that exclude each other the types allow no change; only what all of them have stays.
 */
function ended(part: CallPart, outcome: CallOutcome): CallPart {
  const { output: _, errorText: __, preliminary: ___, rawInput: ____, ...rest } = part as CallPart & Record<string, unknown>;
  const approval = part.approval?.approved === true ? {} : { approval: undefined };
  const result =
    'error' in outcome ? { state: 'output-error', errorText: outcome.error } : { state: 'output-available', output: outcome.output };
  return { ...rest, ...approval, input: part.input ?? {}, ...result } as unknown as CallPart;
}

/** The call as a person, or the server, said no to it. */
export function denied(part: CallPart, reason: string | undefined): CallPart {
  const approval = { ...part.approval, id: part.approval?.id ?? part.toolCallId, approved: false, ...(reason !== undefined && { reason }) };
  return { ...part, state: 'output-denied', approval } as unknown as CallPart;
}

/** A call of a step that was not stored before it was lost. */
function withCall(messages: readonly UIMessage[], call: StartedCall, outcomes: Left['outcomes']): readonly UIMessage[] {
  const { id, tool, input, message, dynamic } = call;
  const kind = dynamic ? { type: 'dynamic-tool', toolName: tool } : { type: `tool-${tool}` };
  const part = { ...kind, toolCallId: id, state: 'input-available', input } as unknown as CallPart;
  const parts: UIMessage['parts'] = [{ type: 'step-start' }, settlePart(part, true, outcomes, false)];
  const at = messages.findIndex((each) => each.id === message);
  const found = messages[at];
  if (found === undefined) return [...messages, { id: message, role: 'assistant', parts }];
  return messages.with(at, { ...found, parts: [...found.parts, ...parts] });
}
