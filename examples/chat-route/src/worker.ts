import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { conversationObject } from './durable-object.ts';

/** The parts of Cloudflare's binding that are used. */
interface Environment {
  readonly CONVERSATION: {
    idFromName(name: string): unknown;
    get(id: unknown): { fetch(request: Request): Promise<Response> };
  };
}

// In your application: conversationObject('anthropic/claude-sonnet-5.5'). This one loads the skill, asks for a refund, and says that it is done.
export const Conversation: ReturnType<typeof conversationObject> = conversationObject(
  scriptedModel(({ prompt }) => {
    const history = JSON.stringify(prompt);
    if (!history.includes('"toolName":"load_skill"')) return { toolCalls: [{ toolName: 'load_skill', input: { name: 'refunds' } }] };
    if (!history.includes('"toolName":"process_refund"')) return { toolCalls: [{ toolName: 'process_refund', input: { orderId: 'A-1' } }] };
    return { text: 'It is done.' };
  }),
);

export default {
  async fetch(request: Request, { CONVERSATION }: Environment): Promise<Response> {
    // In your application: the session of your sign-in.
    const person = request.headers.get('x-signed-in');
    if (person === null || person === '') return new Response('Sign in first.', { status: 401 });
    const chat = new URL(request.url).pathname.split('/')[3] ?? '';
    // The id of a chat comes from the page. Together with the person it cannot name a chat of somebody else.
    return await CONVERSATION.get(CONVERSATION.idFromName(JSON.stringify([person, chat]))).fetch(request);
  },
};
