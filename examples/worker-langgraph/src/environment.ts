import type { Conversation } from './conversation.ts';

/** What `wrangler.jsonc` binds, and the secrets that `wrangler secret put` sets. */
export interface Environment {
  readonly CONVERSATIONS: DurableObjectNamespace<Conversation>;
  /** Without it, a stand-in answers. */
  readonly OPENAI_API_KEY?: string;
  /** Another address for it, such as that of an AI gateway or of Workers AI. */
  readonly OPENAI_BASE_URL?: string;
}
