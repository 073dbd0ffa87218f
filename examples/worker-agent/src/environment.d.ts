declare namespace Cloudflare {
  /** What `wrangler.jsonc` binds, and what `wrangler secret put` sets. */
  interface Env {
    /** Skills that the team publishes without a deployment. */
    readonly SKILLS: R2Bucket;
    /** Conversations and refunds. */
    readonly DESK: R2Bucket;
    readonly CARRIER_SKILLS_URL: string;
    /** Without it, a stand-in answers. */
    readonly ANTHROPIC_API_KEY?: string;
    /** Another address for it, such as that of an AI Gateway. */
    readonly ANTHROPIC_BASE_URL?: string;
  }
}
