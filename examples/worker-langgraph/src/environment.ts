import type { Conversation } from './conversation.ts';

/** The bindings of `wrangler.jsonc`, and the secrets set by `wrangler secret put`. */
export interface Environment {
  readonly CONVERSATIONS: DurableObjectNamespace<Conversation>;
  /** Without it, a stand-in answers. */
  readonly OPENAI_API_KEY?: string;
  /** Another base URL, such as that of an AI gateway or of Workers AI. */
  readonly OPENAI_BASE_URL?: string;
}
