import { isJsonObject, type JsonObject } from '../../contract/json-object.ts';
import { identityOfSkill } from '../../contract/skill-identity.ts';
import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import type { SkillActivity } from '../../events/skill-activity.ts';
import { allGrants, type SkillGrant } from '../../policy/approvals/skill-grants.ts';
import type { SkillAnswer, SkillQuestion, UnansweredCall } from '../../policy/approvals/skill-question.ts';
import { canonicalJson } from '../../providers/digest/canonical-json.ts';
import { hashText } from '../../providers/digest/hash-text.ts';
import { levelOneHash } from '../../state/revision.ts';
import { digestsByPath } from '../files-since.ts';
import { activityOf, shownQuestion } from './questions.ts';

/**
 * Where questions and answers are kept: JSON texts by keys of up to 64 letters, digits, `-` and
 * `_`. Only the host may write to it. What is missing or damaged counts as no answer, so that a
 * person is asked again.
 */
export interface SkillApprovalStore {
  /** The text, or what it parses to. */
  get(key: string): unknown;
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
  /**
   * Reads and deletes in one step: of several takers at once, in whatever process, one gets the
   * text. In SQL it is `delete … returning value`.
   */
  take(key: string): unknown;
  /** Keys that begin so, for the inbox of staff. @default staff cannot be asked */
  keys?(prefix: string): Iterable<string> | Promise<Iterable<string>>;
}

const maxInMemory = 10_000;

/**
 * Keeps questions and answers until the process ends; when it is full, the oldest are forgotten.
 */
export function approvalsInMemory(): SkillApprovalStore {
  const texts = new Map<string, string>();
  const take = (key: string): string | undefined => {
    const text = texts.get(key);
    texts.delete(key);
    return text;
  };
  return {
    get: (key) => texts.get(key),
    set(key, value) {
      texts.delete(key);
      texts.set(key, value);
      const [oldest] = texts.keys();
      if (texts.size > maxInMemory && oldest !== undefined) texts.delete(oldest);
    },
    delete: take,
    take,
    keys: (prefix) => [...texts.keys()].filter((key) => key.startsWith(prefix)),
  };
}

/** A remembered answer about one skill, for one scope. */
export interface SkillApprovalRecord {
  readonly kind: 'skill';
  readonly scope: string;
  readonly source: string;
  readonly place: string;
  readonly version: string | null;
  readonly name: string;
  /** Empty for an unpinned skill. */
  readonly content: string;
  /** Hash of level 1, which a source may tell apart from the files. */
  readonly level: string;
  /** Empty for a person who said never. */
  readonly grants: readonly SkillGrant[];
  /** Holds for every content, until it is revoked. */
  readonly never?: true | undefined;
  /** When, in ISO 8601. */
  readonly at: string;
  /** Who, as the host names people. @default not told */
  readonly by?: string | undefined;
  /** Digests of the files, to tell later what changed. */
  readonly files: Readonly<Record<string, string>>;
}

/** Key of the record of a skill. The version is part of the identity. */
export function approvalKey(scope: string, skill: Pick<SkillMetadata, 'name' | 'origin' | 'version'>): string {
  const { source, place } = identityOfSkill(skill);
  return identityApprovalKey(scope, { source, place, version: skill.version });
}

export function identityApprovalKey(
  scope: string,
  { source, place, version }: Pick<SkillApprovalRecord, 'source' | 'place' | 'version'>,
): string {
  return `skill-${hashText(canonicalJson([scope, source, place, version]))}`;
}

/** The record of an answer about a skill that was read. */
export function approvalRecord(
  scope: string,
  skill: Skill,
  content: string,
  answer: Pick<SkillApprovalRecord, 'grants' | 'at' | 'by' | 'never'>,
): SkillApprovalRecord {
  const files = digestsByPath(skill.resources.slice(0, 1_000));
  const { version, name } = skill;
  return { kind: 'skill', scope, ...identityOfSkill(skill), version, name, content, level: levelOneHash(skill), ...answer, files };
}

/** Whether a record is an answer about exactly this content, or a never. */
export function isAbout(record: JsonObject, skill: SkillMetadata, content: string | null | undefined): boolean {
  return record['never'] === true || (record['content'] === content && record['level'] === levelOneHash(skill));
}

/** Grants of a record, whatever else stands there. */
export function grantsIn({ grants }: JsonObject): readonly SkillGrant[] {
  return Array.isArray(grants) ? allGrants.filter((grant) => grants.includes(grant)) : [];
}

const maxByCharacters = 200;
const maxListed = 1_000;
const words: readonly unknown[] = ['once', 'conversation', 'content', 'never', 'no'] satisfies readonly SkillAnswer['answer'][];

/** A question that waits for staff. */
export interface WaitingQuestion {
  readonly question: SkillQuestion;
  /** The conversation that it was asked in, if the host told. */
  readonly conversation: string | null;
  /** When it was asked, in ISO 8601. */
  readonly at: string;
}

/** What {@link RecordedQuestions} is made of. */
export interface QuestionsHost {
  readonly store: SkillApprovalStore;
  readonly scope: string;
  /** Names the conversation; `null` if the host did not tell. */
  readonly conversation: string | null;
  now(): Date;
  emit(activity: SkillActivity): void;
  /**
   * Told of what could not be read, and of a question that could not be recorded, so that its
   * answer will count for nothing.
   */
  failed(thrown: unknown): void;
}

/**
 * Questions and their answers in the store of one scope. `record` is the only place where a
 * question comes into being; `answer` takes it out, so that it is answered once; what takes the
 * answer takes that out. All a question is about stands in its record: whoever answers may be in
 * another session or process.
 */
export class RecordedQuestions {
  readonly #host: QuestionsHost;

  constructor(host: QuestionsHost) {
    this.#host = host;
  }

  // The store as JSON objects. What cannot be read counts as not there; a failed write rejects.

  get(key: string): Promise<JsonObject | undefined> {
    return this.#read(() => this.#host.store.get(key));
  }

  take(key: string): Promise<JsonObject | undefined> {
    return this.#read(() => this.#host.store.take(key));
  }

  async set(key: string, record: object): Promise<void> {
    await this.#host.store.set(key, JSON.stringify(record));
  }

  async delete(key: string): Promise<void> {
    await this.#host.store.delete(key);
  }

  async #read(read: () => unknown): Promise<JsonObject | undefined> {
    try {
      const value = await read();
      const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
      return isJsonObject(parsed) ? parsed : undefined;
    } catch (thrown) {
      this.#host.failed(thrown);
      return undefined;
    }
  }

  /** Names records of this scope. Nothing in a key is what somebody else wrote. */
  key(kind: 'ask' | 'asked' | 'call' | 'tool' | 'load', ...of: readonly unknown[]): string {
    return `${kind}-${this.#hash(of)}`;
  }

  /**
   * Writes the record of a question. One that stands stays as it is. @returns it, as it is shown
   */
  async record({ whole, question, about }: UnansweredCall): Promise<SkillQuestion> {
    const { conversation, emit, failed, now } = this.#host;
    const { id, kind, whom, skills, grants } = question;
    try {
      if ((await this.get(this.#questionKey(whom, id))) !== undefined) return question;
      // The yes of a framework is to what its person saw: to what was asked about the call first.
      const first = await this.get(about.call);
      if (first === undefined) await this.set(about.call, { kind: 'first', question: id });
      const isFirst = first === undefined || first['question'] === id;
      const asked = { kind: 'question', at: now().toISOString(), conversation, question: whole, about, isFirst };
      await this.set(this.#questionKey(whom, id), asked);
      for (const skill of skills) emit({ type: 'skill_approval_requested', question: id, kind, ...activityOf(skill, grants) });
    } catch (thrown) {
      failed(thrown);
    }
    return question;
  }

  /**
   * The whole question; `undefined` if it was not asked, or is answered.
   *
   * @param onlyFirst only if it is the question that its call was asked about first
   */
  async find(whom: SkillQuestion['whom'], id: string, onlyFirst = false): Promise<SkillQuestion | undefined> {
    const record = await this.get(this.#questionKey(whom, id));
    return onlyFirst && record?.['isFirst'] !== true ? undefined : questionIn(record);
  }

  async waiting(): Promise<readonly WaitingQuestion[]> {
    const keys = [...((await this.#host.store.keys?.(this.#staffPrefix)) ?? [])].filter((key) => key.startsWith(this.#staffPrefix));
    const found = await Promise.all(keys.slice(0, maxListed).map((key) => this.get(key)));
    const waiting = found.flatMap((record): WaitingQuestion[] => {
      const question = questionIn(record);
      if (question === undefined) return [];
      const { conversation, at } = record ?? {};
      const told = { conversation: typeof conversation === 'string' ? conversation : null, at: typeof at === 'string' ? at : '' };
      return [{ question: shownQuestion(question), ...told }];
    });
    return waiting.sort((a, b) => (a.at < b.at ? -1 : 1));
  }

  /**
   * Takes the question out of the store and carries the answer out. @returns whether it was a yes
   * to a known question
   */
  async answer(whom: SkillQuestion['whom'], id: string, given: SkillAnswer, by: string | undefined): Promise<boolean> {
    const { answer: word, grants: own } = isJsonObject(given) ? given : ({} as JsonObject);
    if (!words.includes(word)) return false;
    const { emit } = this.#host;
    const record = await this.take(this.#questionKey(whom, id));
    const question = questionIn(record);
    if (record === undefined || question === undefined) return false;
    const about = isJsonObject(record['about']) ? record['about'] : {};
    if (typeof about['call'] === 'string') await this.delete(about['call']);
    const { kind, canRemember, skills } = question;
    const canGive = kind === 'load' ? (question.asks ?? []).map(({ grant }) => grant) : question.grants;
    const grants = (own === undefined ? question.grants : grantsIn({ grants: own })).filter((grant) => canGive.includes(grant));
    if (word === 'never' && kind === 'load') {
      await this.#remember(question, about, { grants: [], never: true, by });
      for (const skill of skills) emit({ type: 'skill_approval_revoked', reason: 'never', ...activityOf(skill, []) });
    }
    if (word === 'never' || word === 'no') return false;
    const isRemembered = word === 'content' && canRemember && kind !== 'read';
    const lasts = word === 'once' || kind === 'read' ? 'once' : isRemembered ? 'content' : 'conversation';
    if (kind === 'load' && isRemembered) await this.#remember(question, about, { grants, by });
    if (kind === 'call' && lasts !== 'once') await this.#widen(question, about, grants, isRemembered);
    // A remembered load needs no more, unless it is asked about with less remembered.
    if (kind !== 'load' || !isRemembered || about['again'] === true)
      await this.set(this.#answerKey(about['takesItself'] === true, id), { kind: 'answer', answer: lasts, grants });
    for (const skill of skills) emit({ type: 'skill_approval_given', question: id, answer: lasts, ...activityOf(skill, grants) });
    return true;
  }

  /** The answer that waits for a skill tool. */
  async standing(id: string): Promise<JsonObject | undefined> {
    return await this.get(this.#answerKey(true, id));
  }

  /**
   * The same, or that for a tool of the host, for one of all who want it.
   *
   * @param forSkillTool skill tools take their answers themselves; a host takes those of its own
   *   tools
   */
  async takeAnswer(id: string, forSkillTool: boolean): Promise<JsonObject | undefined> {
    return await this.take(this.#answerKey(forSkillTool, id));
  }

  async #remember(
    { skills: [skill] }: SkillQuestion,
    about: JsonObject,
    answer: { readonly grants: readonly SkillGrant[]; readonly never?: true; readonly by: unknown },
  ): Promise<void> {
    const { scope, now } = this.#host;
    if (skill === undefined || !isJsonObject(about['skill'])) return;
    const { grants, never, by } = answer;
    const person = typeof by === 'string' ? { by: by.slice(0, maxByCharacters) } : {};
    const remembered = { ...about['skill'], grants, at: now().toISOString(), ...(never && { never }), ...person };
    await this.set(identityApprovalKey(scope, skill), remembered);
  }

  /**
   * Adds grants to the answers that a call is about: of loads, and of contents where it is
   * remembered.
   */
  async #widen({ skills }: SkillQuestion, about: JsonObject, more: readonly SkillGrant[], isRemembered: boolean): Promise<void> {
    const { scope } = this.#host;
    const add = async (key: unknown, isThis: (record: JsonObject) => boolean): Promise<void> => {
      const record = typeof key === 'string' ? await this.get(key) : undefined;
      if (typeof key !== 'string' || record === undefined || !isThis(record)) return;
      await this.set(key, { ...record, grants: allGrants.filter((grant) => more.includes(grant) || grantsIn(record).includes(grant)) });
    };
    for (const key of Array.isArray(about['loads']) ? about['loads'] : []) await add(key, ({ kind }) => kind === 'load');
    for (const skill of isRemembered ? skills : [])
      await add(identityApprovalKey(scope, skill), ({ content }) => content === skill.content);
  }

  // The person who chats finds no question of staff, and the inbox none of the person.
  #questionKey(whom: SkillQuestion['whom'], id: string): string {
    return whom === 'person' ? this.key('ask', id) : `${this.#staffPrefix}${hashText(id)}`;
  }

  get #staffPrefix(): string {
    return `staff-${this.#hash([])}-`;
  }

  #answerKey(forSkillTool: boolean, id: string): string {
    return this.key(forSkillTool ? 'tool' : 'call', id);
  }

  #hash(of: readonly unknown[]): string {
    return hashText(canonicalJson([this.#host.scope, ...of]));
  }
}

function questionIn(record: JsonObject | undefined): SkillQuestion | undefined {
  const question = record?.['question'];
  return record?.['kind'] === 'question' && isJsonObject(question) ? (question as unknown as SkillQuestion) : undefined;
}
