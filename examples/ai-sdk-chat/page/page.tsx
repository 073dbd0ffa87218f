/** The page: it sends what is typed and shows the answer, with a line for each skill call. */
import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { SkillAnswer, SkillQuestion } from '@repertoire/skills-core';
import type { ChatMessage } from '../src/answer-chat.ts';
import type { AnswerRequest, AnswerResult } from '../src/answer-question.ts';
import { MessageParts, type AskedPart } from './message-parts.tsx';

const transport = new DefaultChatTransport<ChatMessage>({ api: '/api/chat' });

function Chat(): ReactNode {
  const { id, messages, setMessages, sendMessage, addToolApprovalResponse, status, error } = useChat<ChatMessage>({
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const [text, setText] = useState('');
  const isBusy = status === 'submitted' || status === 'streaming';

  // What was said last stays in sight.
  const log = useRef<HTMLElement>(null);
  useEffect(() => {
    if (log.current !== null) log.current.scrollTop = log.current.scrollHeight;
  }, [messages]);

  /** Brings the answer of a person to the server. Once nothing else waits for one, the chat goes on by itself. */
  async function decide(part: AskedPart, question: SkillQuestion, answer: SkillAnswer['answer']): Promise<void> {
    const toolName = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);
    const call = { toolName, toolCallId: part.toolCallId, input: part.input };
    const request: AnswerRequest = { id, messages, call, answer: { question: question.id, answer } };
    const response = await fetch('/api/answer', { method: 'POST', body: JSON.stringify(request) });
    const { runs, again } = (await response.json()) as AnswerResult;
    if (again === undefined) await addToolApprovalResponse({ id: part.approval.id, approved: runs });
    else setMessages((before) => before.map((message) => withQuestion(message, part.toolCallId, again)));
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() === '' || isBusy) return;
    setText('');
    void sendMessage({ text: text.trim() });
  }

  return (
    <>
      <header>
        <h1>A chat with skills</h1>
        <span>{activeSkills(messages)}</span>
        <button className="secondary" type="button" onClick={() => void fetch('/api/partner', { method: 'POST' })}>
          The partner changes its skill
        </button>
      </header>
      <main ref={log} aria-live="polite">
        {messages.map((message) => (
          <article key={message.id} className={message.role}>
            <MessageParts message={message} decide={decide} />
          </article>
        ))}
        {error !== undefined && <p role="alert">{error.message}</p>}
      </main>
      <form onSubmit={submit}>
        <input
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          placeholder="Ask for a refund, about a parcel, or type /haiku"
          aria-label="Message"
        />
        <button disabled={isBusy}>Send</button>
      </form>
    </>
  );
}

function withQuestion(message: ChatMessage, toolCallId: string, data: SkillQuestion): ChatMessage {
  return {
    ...message,
    parts: message.parts.map((part) => (part.type === 'data-question' && part.id === toolCallId ? { ...part, data } : part)),
  };
}

/** The last answer says what is loaded. */
function activeSkills(messages: readonly ChatMessage[]): string {
  const last = messages.flatMap(({ parts }) => parts).findLast((part) => part.type === 'data-skills');
  const names = last?.type === 'data-skills' ? last.data.loaded.map(({ name }) => name) : [];
  return names.length === 0 ? 'No skill is loaded' : `Skills: ${names.join(', ')}`;
}

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<Chat />);
