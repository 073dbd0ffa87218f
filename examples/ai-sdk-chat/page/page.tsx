import { useChat } from '@ai-sdk/react';
import { skillChatTransport } from '@repertoire/adapter-vercel-ai/chat/client';
import { SkillMessage, skillChatStyle } from '@repertoire/adapter-vercel-ai/chat/react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

const opened = await skillChatTransport().open(new URLSearchParams(location.search).get('chat') ?? 'first');

function Page(): ReactNode {
  const chat = useChat(opened);
  const isBusy = chat.status === 'submitted' || chat.status === 'streaming';
  const stop = <button onClick={() => void chat.stop()}>Stop</button>;
  return (
    <main aria-live="polite">
      <style>{skillChatStyle}</style>
      {chat.messages.map((message) => (
        <SkillMessage key={message.id} message={message} chat={chat} transport={opened.transport} />
      ))}
      {chat.error !== undefined && <p role="alert">{chat.error.message}</p>}
      <form action={(form) => void chat.sendMessage({ text: form.get('text') as string })}>
        <input name="text" aria-label="Message" />
        {isBusy ? stop : <button>Send</button>}
      </form>
    </main>
  );
}

createRoot(document.body).render(<Page />);
