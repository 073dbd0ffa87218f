import * as z from 'zod';
import { answerChat } from './answer-chat.ts';
import { readConversation } from './conversations.ts';
import { listSkills } from './list-skills.ts';
import { readJson } from './read-json.ts';
import { serveSkillFile } from './serve-skill-file.ts';

const chatRequest = z.strictObject({ message: z.string().min(1).max(10_000), conversation: z.uuid().optional() });
/** Enough for the longest message, however it is escaped. */
const maxBodyBytes = 65_536;
/** All of them are read, sent to the model and stored again with each message. */
const maxMessages = 40;

/**
 * `POST /chat` with `{"message": "…"}` starts a conversation. The response header `x-conversation`
 * contains its id, which goes into `{"conversation": "…"}` of the next message. Whoever knows an id
 * can continue the conversation: put your own sign-in before it. `GET /skills` lists the skills,
 * `GET /skills/<name>/<path>` returns a file.
 */
const worker: ExportedHandler = {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (request.method === 'POST' && pathname === '/chat') return await chat(request);
    if (request.method === 'GET' && pathname === '/skills') return Response.json(await listSkills());
    const [, name = '', path = ''] = /^\/skills\/([\w-]+)\/([\w./-]+)$/.exec(pathname) ?? [];
    const file = request.method === 'GET' && path !== '' ? await serveSkillFile(name, path) : null;
    return file ?? problem(404, 'There are POST /chat, GET /skills and GET /skills/<name>/<path>.');
  },
};
export default worker;

async function chat(request: Request): Promise<Response> {
  const { data } = chatRequest.safeParse(await readJson(request, maxBodyBytes));
  if (data === undefined) return problem(400, 'Send {"message": "…"}, and "conversation" with the id of one.');
  const conversation = await readConversation(data.conversation);
  if (conversation === null) return problem(404, `There is no conversation ${data.conversation}.`);
  if (conversation.messages.length >= maxMessages) return problem(409, 'This conversation is as long as one may be. Begin a new one.');
  return await answerChat(conversation, data.message, request.signal);
}

function problem(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
