import { isTrusted } from '../../contract/is-trusted.ts';
import type { GetSkillOptions, Skill, SkillCallOptions, SkillProvider } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { isOutage, type ComposedSource } from './composed-source.ts';
import type { Composition } from './composition.ts';
import { listedInPart, unknownWhileFailing, type SourceFailure } from './source-reports.ts';

/** A question to whichever source has a skill. */
export interface Question<Answer> {
  ask(provider: SkillProvider, name: string, call: SkillCallOptions): Promise<Answer | null>;
  /** The skill that an answer is; left out for questions about a file. */
  skillIn?(answer: Answer): Skill;
}

/** A question by name, and what the sources answered to it so far. */
interface AskedByName<Answer> extends Question<Answer> {
  readonly name: string;
  readonly call: GetSkillOptions;
  readonly failed: Map<ComposedSource, SourceFailure>;
  /** Skills without trust, of sources that were asked for a trusted one. */
  readonly later: Map<ComposedSource, Answer>;
  /** Sources that do not have the name at all. */
  readonly without: Set<ComposedSource>;
}

/**
 * Asks the source that has the name. It asks anew each time, best source first, so it needs no
 * listing before. Sources are asked for a trusted skill first, then for one without trust, as the
 * listing gives names. A source that failed last is asked after the others, unless it is known to
 * have the name: so it costs them no time, and what is served is what was listed without it.
 */
export async function askByName<Answer>(
  { byPrecedence, withholds }: Composition,
  name: string,
  call: GetSkillOptions,
  question: Question<Answer>,
): Promise<Answer | null> {
  const asked: AskedByName<Answer> = { ...question, name, call, failed: new Map(), later: new Map(), without: new Set() };
  const { failed, without } = asked;
  for (const trusted of [true, false]) {
    const doubtful = (source: ComposedSource) => source.failing && !source.knows(name);
    const isWithheld = withholds && byPrecedence.some((source) => source.failing && !source.heard);
    const order = isWithheld ? byPrecedence : [...byPrecedence.filter((source) => !doubtful(source)), ...byPrecedence.filter(doubtful)];
    for (const source of order) {
      if (failed.has(source) || without.has(source)) continue;
      try {
        const answer = await askForTrust(asked, source, trusted);
        if (answer !== undefined) return answer;
      } catch (error) {
        call.signal?.throwIfAborted();
        if (!SkillError.isInstance(error) || !isOutage(error) || source.knows(name)) throw error;
        failed.set(source, { label: source.label, error });
        // The name may belong to this source, so no later source is asked.
        if (withholds && !source.heard) throw unknownWhileFailing(name, { label: source.label, error });
      }
    }
    // A name of a trusted skill is never served by another source.
    if ([...failed.keys()].some((source) => source.mayOwnAnyName)) break;
  }
  const [failure] = failed.values();
  if (failure !== undefined) throw unknownWhileFailing(name, failure);
  return null;
}

/** Answers `undefined` where the source has no such skill of this trust. */
async function askForTrust<Answer>(
  asked: AskedByName<Answer>,
  source: ComposedSource,
  trusted: boolean,
): Promise<Answer | null | undefined> {
  const { name, later, without } = asked;
  const { version, place, content, signal } = asked.call;
  const kept = later.get(source);
  if (kept !== undefined) return kept;
  const expected = source.trusted ?? source.known.get(name)?.trusted;
  if (expected === !trusted) return undefined;
  if (expected === undefined && asked.skillIn === undefined) {
    const skill = await source.call(signal, (call) => source.provider.getSkill(name, call));
    if (skill === null || isTrusted(skill) !== trusted) return undefined;
  }
  const answer = await source.call(signal, (call) => asked.ask(source.provider, name, call));
  if (answer !== null) {
    const skill = asked.skillIn?.(answer);
    if (skill === undefined || source.trusted !== undefined || isTrusted(skill) || !trusted) return answer;
    later.set(source, answer);
    return undefined;
  }
  if (source.missed.has(name)) throw listedInPart(name, source.label);
  // The source may lack only the version or file: another source's skill is another skill.
  const isPlain = version === undefined && place === undefined && content === undefined;
  if (isPlain && asked.skillIn !== undefined) return void without.add(source);
  const other = await source.call(signal, (call) => source.provider.getSkill(name, call));
  return other === null || isTrusted(other) !== trusted ? undefined : null;
}

/**
 * Asks for a skill of the source with this label, and of no other. The label may be of a source
 * inside a source: then each is asked, and what it answers must be of that label.
 *
 * @param sources the source with the label alone, or every source that may hold it
 * @throws {SkillError} what a source says is wrong, where no other one has the skill
 */
export async function askOfLabel<Answer>(
  sources: readonly ComposedSource[],
  name: string,
  options: GetSkillOptions,
  question: Question<Answer>,
): Promise<Answer | null> {
  const { signal, source: label } = options;
  const isIts = (skill: Skill | null, of: ComposedSource): boolean => skill !== null && (skill.origin?.label ?? of.label) === label;
  let failure: { readonly error: unknown } | undefined;
  for (const source of sources) {
    try {
      if (question.skillIn === undefined && source.label !== label) {
        const { version, place, content } = options;
        const look = { version, place, content, source: label };
        if (!isIts(await source.call(signal, (call) => source.provider.getSkill(name, { ...look, ...call })), source)) continue;
      }
      const answer = await source.call(signal, (call) => question.ask(source.provider, name, call));
      if (answer !== null && (question.skillIn === undefined || isIts(question.skillIn(answer), source))) return answer;
    } catch (error) {
      signal?.throwIfAborted();
      failure ??= { error };
    }
  }
  if (failure !== undefined) throw failure.error;
  return null;
}
