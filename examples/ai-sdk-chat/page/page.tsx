import { useChat } from '@ai-sdk/react';
import { skillChatTransport } from '@repertoire/adapter-vercel-ai/chat/client';
import { SkillMessage, skillChatStyle } from '@repertoire/adapter-vercel-ai/chat/react';
import { lastAssistantMessageIsCompleteWithApprovalResponses as sendAutomaticallyWhen } from 'ai';
import { useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

const transport = skillChatTransport();
const id = new URLSearchParams(location.search).get('chat') ?? 'first';
const messages = await transport.history(id);

function Page(): ReactNode {
  const chat = useChat({ id, messages, transport, resume: true, sendAutomaticallyWhen });
  const [text, setText] = useState('');
  const isBusy = chat.status === 'submitted' || chat.status === 'streaming';
  return (
    <main aria-live="polite">
      <style>{skillChatStyle}</style>
      {chat.messages.map((message) => (
        <SkillMessage key={message.id} message={message} chat={chat} transport={transport} />
      ))}
      {chat.error !== undefined && <p role="alert">{chat.error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setText('');
          void chat.sendMessage({ text });
        }}
      >
        <input value={text} onChange={({ target }) => setText(target.value)} aria-label="Message" />
        {isBusy ? (
          <button type="button" onClick={() => void chat.stop()}>
            Stop
          </button>
        ) : (
          <button>Send</button>
        )}
      </form>
    </main>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(<Page />);
