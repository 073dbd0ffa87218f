import * as z from 'zod';
import type { Environment } from './environment.ts';
import { readJson } from './read-json.ts';

export { Conversation } from './conversation.ts';

const requests = z.union([
  z.strictObject({ say: z.string().min(1).max(4000) }),
  z.strictObject({ approved: z.boolean() }),
  z.strictObject({ goOn: z.literal(true) }),
]);
/** Enough for the longest request, however it is escaped. */
const maxBodyBytes = 32_768;

/**
 * `POST /conversations/<name>` with `{"say": "…"}`, `{"approved": true}` or `{"goOn": true}`, and
 * `GET` of the same. Whoever knows a name can speak: put your own sign-in before it, and let only
 * librarians send `approved`.
 */
const worker: ExportedHandler<Environment> = {
  async fetch(request, { CONVERSATIONS }) {
    const name = /^\/conversations\/(?<name>[\w-]{1,64})$/.exec(new URL(request.url).pathname)?.groups?.['name'];
    if (name === undefined) return Response.json({ error: 'There is only /conversations/<name>.' }, { status: 404 });
    const conversation = CONVERSATIONS.getByName(name);
    if (request.method === 'GET') return Response.json(await conversation.look());

    const { data } = requests.safeParse(await readJson(request, maxBodyBytes));
    if (data === undefined) return Response.json({ error: 'Send {"say": "…"}, {"approved": true} or {"goOn": true}.' }, { status: 400 });
    try {
      const standing = await ('say' in data
        ? conversation.say(data.say)
        : 'approved' in data
          ? conversation.decide(data.approved)
          : conversation.goOn());
      if (standing !== null) return Response.json(standing);
      return Response.json({ error: 'Not as it stands.', ...(await conversation.look()) }, { status: 409 });
    } catch {
      // For example, the model could not be reached; the log of the object has the error. Finished
      // steps are kept.
      return Response.json({ error: 'The run stopped. Send {"goOn": true}.', ...(await conversation.look()) }, { status: 502 });
    }
  },
};
export default worker;
