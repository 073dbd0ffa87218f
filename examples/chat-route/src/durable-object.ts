import type { LanguageModel } from 'ai';
import { chatRoute, type ChatRoute } from './chat-route.ts';
import { sqlChatStore } from './chat-store.ts';
import { instructions, shopTools, skillset, toolApproval } from './shop.ts';

/** The parts of Cloudflare's `DurableObjectState` that are used. */
interface ObjectState {
  readonly storage: {
    readonly sql: { exec(statement: string, ...values: readonly string[]): { toArray(): Record<string, unknown>[] } };
  };
}

interface Environment {
  readonly APPROVAL_SECRET: string;
}

interface ConversationObject {
  fetch(request: Request): Promise<Response>;
}

/**
 * One conversation on Cloudflare: its messages, its events, and the answer that is being written. Export the class from the worker:
 * `export const Conversation = conversationObject('anthropic/claude-sonnet-5.5')`. The worker finds the object by the person who is signed in.
 */
export function conversationObject(model: LanguageModel): new (state: ObjectState, environment: Environment) => ConversationObject {
  return class Conversation {
    readonly #route: ChatRoute;

    constructor({ storage }: ObjectState, { APPROVAL_SECRET }: Environment) {
      this.#route = chatRoute({
        skillset,
        tools: shopTools(async (orderId) => `Refunded ${orderId}.`),
        model,
        store: sqlChatStore((statement, ...values) => storage.sql.exec(statement, ...values).toArray()),
        instructions,
        toolApproval,
        approvalSecret: APPROVAL_SECRET,
      });
    }

    async fetch(request: Request): Promise<Response> {
      switch (request.method) {
        case 'POST':
          return this.#route.post(request, 'this');
        case 'GET':
          return this.#route.resume('this');
        case 'DELETE':
          return this.#route.stop('this');
        default:
          return new Response(null, { status: 405 });
      }
    }
  };
}
