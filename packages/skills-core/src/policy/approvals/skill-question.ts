import { SkillError } from '../../errors/skill-error.ts';
import type { SkillGrant } from './skill-grants.ts';

/** A skill that a question is about. */
export interface AskedSkill {
  readonly name: string;
  /** The host's label of its source, and the place in it. */
  readonly source: string;
  readonly place: string;
  readonly uri?: string | undefined;
  readonly version: string | null;
  readonly trusted: boolean;
  /** Digest of its content; `null` for an open or dynamic skill, whose files nobody can promise. */
  readonly content: string | null;
  /** Of a skill to load: digest of its level 1, of which only `asks` is shown. */
  readonly level?: string | undefined;
}

/** A file of a skill, as a person is shown it. */
export interface AskedFile {
  readonly path: string;
  readonly size?: number | undefined;
  readonly digest?: string | undefined;
}

/** What a yes can give. */
export interface AskedGrant {
  readonly grant: SkillGrant;
  /**
   * Tools, patterns, scripts, commands, a model, servers as they are written: words of the
   * skill, to be escaped. Of `code-tools`, the host's own patterns.
   */
  readonly what: readonly string[];
  /** How many more there are; `approvals.question(id)` has all of them. @default none */
  readonly more?: number | undefined;
}

/** What differs from the content that was approved last. */
export interface AskedChanges {
  /** Digest of the content that was approved last, and when, in ISO 8601. */
  readonly since: string;
  readonly at: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Lines of the instructions that differ; `null` if the old ones are unknown. */
  readonly diff: string | null;
}

/**
 * What a person is asked, as plain JSON. Everything in it but labels is words of somebody else:
 * show it as text. `id` is a digest of the call, its conversation and everything that is asked, so
 * an answer to it is an answer to exactly this. Long lists and texts are cut and say so;
 * `approvals.question(id)` has the whole.
 */
export interface SkillQuestion {
  readonly id: string;
  /** `call`: a tool executes code while skills are in the context. `read`: across sources. */
  readonly kind: 'load' | 'call' | 'read';
  /** Who answers: the person who chats, or somebody of the host's with its inbox. */
  readonly whom: 'person' | 'staff';
  /** Name of the tool that is to be called. */
  readonly tool: string;
  /** Input of the call; of a load, its name and arguments. */
  readonly input: unknown;
  /** The skill to load; those in the context; or those, then the one that is read. */
  readonly skills: readonly AskedSkill[];
  /** The grants that an answer gives if it names none. */
  readonly grants: readonly SkillGrant[];
  /** Whether an answer can be remembered for this content. */
  readonly canRemember: boolean;
  /** Who signed the content, if the host can tell. @default not told */
  readonly signer?: string | undefined;
  /** Everything that an answer about a load can give. */
  readonly asks?: readonly AskedGrant[] | undefined;
  /** Its files, `SKILL.md` not among them. */
  readonly files?: readonly AskedFile[] | undefined;
  /** How many more files there are. @default none */
  readonly moreFiles?: number | undefined;
  /** Its instructions. */
  readonly body?: string | undefined;
  /** How many more characters the instructions have. @default none */
  readonly moreCharacters?: number | undefined;
  /** @default nothing of it was approved before */
  readonly changes?: AskedChanges | undefined;
}

/**
 * What was answered.
 *
 * `once`: for this call; a loaded skill keeps its grants until it is loaded again or unloaded.
 * `conversation`: until it is unloaded or changes. `content`: for this content, until it changes or
 * is revoked. `never`: not this skill, whatever its content, until that is revoked. `no`: not now.
 */
export interface SkillAnswer {
  readonly answer: 'once' | 'conversation' | 'content' | 'never' | 'no';
  /** Of those in `asks`. @default `grants` of the question */
  readonly grants?: readonly SkillGrant[] | undefined;
}

/** What the record of a question has besides the question, for whoever gets its answer. */
export interface AskedAbout {
  /** The call that is asked about, as a key. */
  readonly call: string;
  /** A skill tool is called, which takes the answer itself. */
  readonly takesItself?: true | undefined;
  /** Of a load: what a remembered answer is about. */
  readonly skill?: object | undefined;
  /** The skill is loaded already, with less. */
  readonly again?: true | undefined;
  /** Of a call: keys of the answers that the loads of its skills rest on. */
  readonly loads?: readonly string[] | undefined;
}

/** A call that waits for an answer. */
export class UnansweredCall extends SkillError {
  readonly whole: SkillQuestion;
  /** As it is shown: long lists and texts are cut, and say so. */
  readonly question: SkillQuestion;
  readonly about: AskedAbout;

  constructor(message: string, whole: SkillQuestion, shown: SkillQuestion, about: AskedAbout) {
    super('needs-approval', message, { skill: whole.skills.at(-1)?.name });
    this.whole = whole;
    this.question = shown;
    this.about = about;
  }
}
