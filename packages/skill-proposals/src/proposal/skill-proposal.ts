/** A place in a file of a skill, and what takes its place. */
export interface SkillEdit {
  /** Path inside the skill. */
  readonly path: string;
  /** Occurs exactly once in the file, as it is in the base. */
  readonly old: string;
  /** What takes its place; empty to remove it. */
  readonly new: string;
}

/** A whole file of text. */
export interface ProposedFile {
  /** Path inside the skill. */
  readonly path: string;
  readonly text: string;
  /** SHA-256 of the file that it replaces; `null` for a new file. */
  readonly replaces: string | null;
}

/** What a change was made for: an identity and its content. */
export interface SkillProposalBase {
  /** Label of the source. */
  readonly source: string;
  readonly place: string;
  readonly version: string | null;
  /** Content digest. */
  readonly content: string;
}

/** A proposed skill or change. It is data and changes nothing by itself. */
export interface SkillProposal {
  /** Name of the skill and the start of `digest`. */
  readonly id: string;
  /** SHA-256 over what is proposed, whoever proposes it: the same text has the same digest. */
  readonly digest: string;
  readonly skill: string;
  /** What the change was made for; `null` for a new skill. */
  readonly base: SkillProposalBase | null;
  readonly files: readonly ProposedFile[];
  readonly edits: readonly SkillEdit[];
  /** Why, in the words of who proposed it. */
  readonly reason: string;
  /** The conversation that it comes from, as the host names it. */
  readonly conversation: string | null;
  readonly model: string | null;
  /** For whom the agent worked: a tenant, a user. */
  readonly author: string | null;
  /** When, as ISO 8601 in UTC. */
  readonly created: string;
}

/** Files of a skill by path; `SKILL.md` is among them. */
export type SkillFilesByPath = Readonly<Record<string, Uint8Array>>;

/** Bounds of one proposal. */
export const proposalLimits: Readonly<Record<'files' | 'edits' | 'textBytes' | 'reasonCharacters' | 'wordCharacters', number>> =
  Object.freeze({
    /** Whole files. */
    files: 50,
    edits: 100,
    /** Bytes of all texts together: files, and both sides of edits. */
    textBytes: 262_144,
    reasonCharacters: 4_000,
    /** Characters of a conversation, a model, an author. */
    wordCharacters: 200,
  });
