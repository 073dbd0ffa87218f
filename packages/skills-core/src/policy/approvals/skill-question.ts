import type { SkillError } from '../../errors/skill-error.ts';
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
}

/** A file of a skill, as a person is shown it. */
export interface AskedFile {
  readonly path: string;
  readonly size?: number | undefined;
  readonly digest?: string | undefined;
}

/** What a skill asks for. */
export interface AskedGrant {
  readonly grant: SkillGrant;
  /** Tools, patterns, scripts, a model, servers: words of the skill, to be escaped. */
  readonly what: readonly string[];
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
 * show it as text. `id` is a digest of all the rest, so an answer that names it is an answer to
 * exactly this.
 */
export interface SkillQuestion {
  readonly id: string;
  /** `call`: a tool executes code while skills are in the context. `read`: across sources. */
  readonly kind: 'load' | 'call' | 'read';
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
  /** What a skill that is to be loaded asks for. */
  readonly asks?: readonly AskedGrant[] | undefined;
  /** Its files, `SKILL.md` not among them. */
  readonly files?: readonly AskedFile[] | undefined;
  /** Its instructions. */
  readonly body?: string | undefined;
  /** @default nothing of it was approved before */
  readonly changes?: AskedChanges | undefined;
}

/**
 * What a person answered. It counts only for the question that it names.
 *
 * `once`: for this call; a loaded skill keeps its grants until it is loaded again or unloaded.
 * `conversation`: until it is unloaded or changes. `content`: for this content, until it changes or
 * is revoked. `never`: not this content. `no`: not now.
 */
export interface SkillAnswer {
  readonly question: string;
  readonly answer: 'once' | 'conversation' | 'content' | 'never' | 'no';
  /** @default those of the question */
  readonly grants?: readonly SkillGrant[] | undefined;
  /** Who answered, for people; at most 200 characters. @default not told */
  readonly by?: string | undefined;
}

const questions = new WeakMap<SkillError, SkillQuestion>();

/** Joins an error to the question whose answer would let the call through. */
export function withQuestion(error: SkillError, question: SkillQuestion): SkillError {
  questions.set(error, question);
  return error;
}

/** The question that an error stands for. */
export function questionOf(error: SkillError): SkillQuestion | undefined {
  return questions.get(error);
}
