import { emptySkillState, SkillError, type SkillQuestion, type SkillState } from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/adapter';
import { tooManyQuestionsText } from '@repertoire/skills-core/internal';
import {
  convertToModelMessages,
  createUIMessageStream,
  isStepCount,
  streamText,
  toUIMessageStream,
  type ModelMessage,
  type ToolSet,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import type { AiSdkSkills, AiSdkToolApproval } from '../ai-sdk-skills-options.ts';
import { aiSdkSkills } from '../ai-sdk-skills.ts';
import { skillsDataChunk } from '../ui/skill-data.ts';
import type { ChatKey, ChatSnapshot } from './chat-store.ts';
import type { ChatWriter } from './chat-writer.ts';
import type { GivenAnswer } from './read-request.ts';
import { isCall, toolOf } from './settle-messages.ts';
import type { SkillChatOptions } from './skill-chat.ts';
import { withSkillCalls } from './skill-call.ts';

/** What is written of an answer. */
export interface AnsweredTurn {
  /** All messages, settled. */
  readonly messages: readonly UIMessage[];
  /** Id of the message that is written. */
  readonly id: string;
  readonly openQuestions: number;
  /** Called with the message after each step, before the next one. */
  readonly onStep: (message: UIMessage) => Promise<void>;
  /** Called with the message at its end. */
  readonly onMessage: (message: UIMessage) => void;
}

/** What became of the answer to a question. */
export interface AnsweredQuestion {
  /** Whether the call may be made now. */
  readonly runs: boolean;
  /** The question as it is by now, if it is another one: nothing was answered. */
  readonly again?: SkillQuestion;
  /** The message that changed. */
  readonly changed?: UIMessage;
}

/** What a person said in a conversation that nobody else writes, and the skills that it has. */
export class ChatTurn<Context> {
  readonly #options: SkillChatOptions<Context>;
  readonly #key: ChatKey;
  readonly #request: Request;
  readonly #writer: ChatWriter;
  readonly #snapshot: ChatSnapshot;
  readonly #state: { current: SkillState };

  constructor(options: SkillChatOptions<Context>, key: ChatKey, request: Request, taken: { writer: ChatWriter; snapshot: ChatSnapshot }) {
    this.#options = options;
    this.#key = key;
    this.#request = request;
    this.#writer = taken.writer;
    this.#snapshot = taken.snapshot;
    this.#state = { current: taken.snapshot.events.reduce((before, event) => reduceSkillState(before, event), emptySkillState) };
  }

  /** Runs the model. The stream ends when the turn has ended. */
  async answer({ messages, id, openQuestions, onStep, onMessage }: AnsweredTurn): Promise<ReadableStream<UIMessageChunk>> {
    const { model, instructions, toolApproval = {}, settings, onError } = this.#options;
    const { signal } = this.#writer.ending;
    const errorText = (error: unknown): string => {
      // What failed inside of a tool is the host's to hear. Why a gate refused may be shown.
      if (SkillError.isInstance(error)) return error.message;
      if (!signal.aborted) onError?.(error, this.#key);
      return 'It failed.';
    };
    const skills = await this.#open();
    const said = messages.at(-1);
    const typed = said?.role === 'user' ? said.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') : '';

    return createUIMessageStream({
      originalMessages: [...messages],
      generateId: () => id,
      onError: errorText,
      onStepEnd: ({ responseMessage }) => onStep(responseMessage),
      onEnd: ({ responseMessage }) => onMessage(responseMessage),
      execute: async ({ writer: stream }) => {
        try {
          stream.write({ type: 'start', messageId: id });
          const history = await convertToModelMessages([...messages], { tools: skills.tools, ignoreIncompleteToolCalls: true });
          const invoked = typed === '' ? null : await skills.invoke(typed, history.slice(0, -1), { signal });
          for (const chunk of invoked?.chunks ?? []) stream.write(chunk);
          const { tools: given, toolApproval: approval, ...rest } = skills.agentSettings({ instructions, toolApproval });
          const all: ToolSet = given;
          const before = [...history, ...(invoked?.messages ?? [])];
          const result = streamText({
            stopWhen: isStepCount(20),
            ...settings,
            ...rest,
            model: typeof model === 'function' ? await model(this.#request, this.#key.person) : model,
            messages: before,
            tools: this.#writer.ledger(all, id, errorText, this.#options.skills?.fork !== undefined),
            ...(approval !== undefined && { toolApproval: atMost(openQuestions, approval) }),
            abortSignal: signal,
            onError: () => undefined,
          });
          let hasFailed = false;
          const waiting: string[] = [];
          for await (const chunk of toUIMessageStream({
            stream: result.stream,
            tools: all,
            sendStart: false,
            sendFinish: false,
            onError: errorText,
          })) {
            hasFailed ||= chunk.type === 'error';
            if (chunk.type === 'tool-approval-request') waiting.push(chunk.toolCallId);
            stream.write(chunk);
          }
          for (const call of waiting) {
            const question = await questionOf(skills, call, [...before, ...(await result.responseMessages)]);
            if (question !== undefined) stream.write({ type: 'data-question', id: call, data: question });
          }
          if (!hasFailed) stream.write(skillsDataChunk(this.#state.current));
          stream.write({ type: 'finish' });
        } finally {
          await skills.close();
        }
      },
    });
  }

  /**
   * Records what a person says on a card. It is an answer to the question that it names, and to no
   * other one: if the skill has changed meanwhile, the page is given the question as it is now, and
   * nothing is answered.
   */
  async answerQuestion({ call, question: id, answer }: GivenAnswer): Promise<AnsweredQuestion> {
    const last = this.#snapshot.messages.at(-1);
    const part = last?.parts.find((each) => isCall(each) && each.toolCallId === call && each.state === 'approval-requested');
    if (last === undefined || part === undefined || !isCall(part)) return { runs: false };
    const skills = await this.#open();
    try {
      const history = await convertToModelMessages([...this.#snapshot.messages], { tools: skills.tools, ignoreIncompleteToolCalls: true });
      const asked = await skills.question({ toolName: toolOf(part), toolCallId: part.toolCallId, input: part.input }, history);
      // Answered meanwhile, with another call.
      if (asked === undefined) return { runs: answer.answer !== 'no' && answer.answer !== 'never' };
      const withPart = (isIt: (each: UIMessage['parts'][number]) => boolean, change: object): UIMessage => ({
        ...last,
        parts: last.parts.map((each) => (isIt(each) ? { ...each, ...change } : each)),
      });
      if (asked.id !== id) {
        const isShown = (each: UIMessage['parts'][number]): boolean => each.type === 'data-question' && 'id' in each && each.id === call;
        return { runs: false, again: asked, changed: withPart(isShown, { data: asked }) };
      }
      if ((await skills.session.approvals?.answer(asked.id, answer, this.#key.person)) === true) return { runs: true };
      // A no is a no to the call, whatever a page says of it later.
      const no = { state: 'approval-responded', approval: { ...part.approval, approved: false } };
      return { runs: false, changed: withPart((each) => each === part, no) };
    } finally {
      await skills.close();
    }
  }

  /** The skills of the conversation, with what it has loaded. */
  async #open(): Promise<AiSdkSkills> {
    const { skillset, tools = {}, skills, context: contextOf } = this.#options;
    const { person, chat } = this.#key;
    // Whether there is a context is known to the types of the host, and not to these.
    const open = aiSdkSkills as (source: typeof skillset, options: object) => Promise<AiSdkSkills>;
    return await open(skillset, {
      ...skills,
      ...(contextOf !== undefined && { context: await contextOf(this.#request, person) }),
      conversation: JSON.stringify([person, chat]),
      tools: withSkillCalls(tools, this.#key),
      state: Object.assign(this.#state, { append: this.#writer.append.bind(this.#writer) }),
      signal: this.#writer.ending.signal,
    });
  }
}

/** What a person is asked about a call that waits; `undefined` if only the host asks. */
async function questionOf(skills: AiSdkSkills, id: string, history: readonly ModelMessage[]): Promise<SkillQuestion | undefined> {
  for (const { role, content } of history.toReversed()) {
    const call =
      role === 'assistant' && typeof content !== 'string' && content.find((part) => part.type === 'tool-call' && part.toolCallId === id);
    if (typeof call === 'object' && call.type === 'tool-call') return await skills.question(call, history);
  }
  return undefined;
}

/** Asks a person about so many calls at once, and refuses the others. */
function atMost(most: number, approval: AiSdkToolApproval): AiSdkToolApproval {
  const asked = new Set<string>();
  return async (call) => {
    const status = await approval(call);
    if ((typeof status === 'string' ? status : status?.type) !== 'user-approval') return status;
    const { toolCallId, toolName } = call.toolCall;
    if (!asked.has(toolCallId) && asked.size >= most) return { type: 'denied', reason: tooManyQuestionsText(toolName, most) };
    asked.add(toolCallId);
    return status;
  };
}
