import type { SkillCardLocalTool, SkillCardMcpServer } from '@repertoire/skills-core/internal';

/**
 * A skill card (`skill-card.json`): what is known of a skill without its files, where they are, and
 * which tools come with it. Everything in it is data; nothing is fetched, started or imported
 * because a card says so.
 */
export interface SkillCard {
  /** Identifies the skill: its name in the contract's sense, `weather`. */
  readonly id: string;
  /** Version, as written. */
  readonly version?: string | undefined;
  /** Name for people: `Weather Lookup`. */
  readonly name: string;
  /** What the skill does and when to use it. */
  readonly description: string;
  /** `base_uri`: a path, a URL, or relative to the card; see `resolveCardBase`. */
  readonly baseUri: string;
  /** Paths of the files below the base, `SKILL.md` among them. */
  readonly files: readonly string[];
  /** MCP servers whose tools come with the skill, by the card's own key. */
  readonly mcps: Readonly<Record<string, SkillCardMcpServer>>;
  /** `local_tools`: tools of the host's own code that come with the skill, by tool name. */
  readonly localTools: Readonly<Record<string, SkillCardLocalTool>>;
  /** What the card says beyond this format. */
  readonly extensions: readonly SkillCardExtension[];
  /** Fields that the format does not know, verbatim. */
  readonly other?: Readonly<Record<string, unknown>> | undefined;
}

/** A declaration that goes beyond the format, as agent cards have them. */
export interface SkillCardExtension {
  readonly uri: string;
  readonly description?: string | undefined;
  /** Whether a reader that does not know it must leave the skill alone. @default false */
  readonly required: boolean;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}
