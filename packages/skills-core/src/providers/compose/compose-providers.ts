import { deepFreeze } from '../../contract/deep-freeze.ts';
import { boundedDiagnostics, maxDiagnostics } from '../../contract/diagnostic-list.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import { assertKnownOptions, type OptionRules } from '../../contract/known-options.ts';
import { isFrom } from '../../contract/skill-identity.ts';
import type {
  GetSkillOptions,
  Skill,
  SkillCallOptions,
  SkillDiagnostic,
  SkillListing,
  SkillMetadata,
  SkillProvider,
} from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { ChangeNotifier } from '../support/change-notifier.ts';
import { ComposedSource, isOutage, type SetTimer } from './composed-source.ts';
import { mergeListings, type SkillCollisionRule, type SourceListing } from './merge-listings.ts';
import { asListed, checkLabels, parseQualifiedName } from './qualified-name.ts';
import {
  disposeSources,
  listedInPart,
  namesReleased,
  noSourceAnswers,
  outageDiagnostic,
  unknownWhileFailing,
  withheld,
  type SourceFailure,
} from './source-reports.ts';

/** Options of {@link composeProviders}. */
export interface ComposeProvidersOptions {
  /** Names the composition in errors. @default 'skills' */
  readonly label?: string | undefined;
  /**
   * What is done where two sources have a skill of the same name.
   *
   * - `first`: the source that stands first in the list has the name, with all of its versions; the
   *   skills of the others are hidden.
   * - `last`: the source that stands last has it.
   * - `rename`: as `first`, and the others are listed as `label:name`.
   * - `error`: nothing is served while there is a collision; every call rejects with
   *   `duplicate-skill`. Only use it if all sources are your own: another one could stop an agent
   *   by taking a name.
   *
   * @default 'first'
   */
  readonly onCollision?: SkillCollisionRule | undefined;
  /**
   * What happens to skills while a source fails and has not answered once in this process, so that
   * nobody knows which names are its own.
   *
   * - `serve`: trusted skills of the other sources are served. One may then have a name that
   *   belongs to the failing source. Skills without trust are left out, whatever their place in the
   *   list, unless the failing source says that it has none that is trusted
   *   (`SkillProvider.trusted`).
   * - `withhold`: all skills of the sources behind the failing one are left out as well, until it
   *   has answered once. A source that says that it has none that is trusted does this to skills
   *   without trust only.
   *
   * Every skill can still be fetched by its qualified name, `label:name`.
   *
   * @default 'serve'
   */
  readonly beforeFirstAnswer?: 'serve' | 'withhold' | undefined;
  /** Milliseconds that one call of one source may take, or `Infinity`. @default 10000 */
  readonly timeoutMs?: number | undefined;
  /** The timer behind `timeoutMs`, for tests. @default `setTimeout` */
  readonly setTimer?: SetTimer | undefined;
}

const knownOptions: OptionRules<ComposeProvidersOptions> = {
  label: 'string',
  onCollision: { first: true, last: true, error: true, rename: true },
  beforeFirstAnswer: { serve: true, withhold: true },
  timeoutMs: 'number',
  setTimer: '()',
};

const defaultTimeoutMs = 10_000;
/** What `setTimeout` can count to; more would fire at once. */
const maxTimeoutMs = 2 ** 31 - 1;

/**
 * Combines many sources into one. The order of the list is the priority, see
 * {@link ComposeProvidersOptions.onCollision}.
 *
 * - A source that fails or hangs is left out of the listing and reported, and the listing is not
 *   `complete`; the other sources are not affected. The listing rejects only if all of them fail.
 * - A trusted skill has its name before every skill without trust, whatever the order of the
 *   sources: no source without trust takes a name of a trusted one, or keeps it from being served
 *   by an outage. By the rule `error`, which is for sources of your own, any two skills collide.
 * - A name belongs to one source, the same for the listing, the body and the files. While a source
 *   fails, the names that it listed before stay its own: no other source's skill of that name is
 *   served instead. For a source that has not answered yet, see
 *   {@link ComposeProvidersOptions.beforeFirstAnswer}.
 * - Every skill, hidden or not, can be fetched as `label:name`. Nothing else can have such a name.
 * - Origin and trust stay those of the source. A source that says no origin gets one with its
 *   label, without trust. A skill that is listed under another name has its own as its place.
 * - A call with `source` goes to the source with that label alone, also inside other compositions.
 *   While it is down, the call rejects.
 * - Disposing it disposes all of its sources.
 *
 * Diagnostics: those of the sources, each message behind its label, and `source-failed`,
 * `source-timeout` (error), `skill-name-reserved` (error), `skill-withheld` (error),
 * `names-released` (warning: a source that never lists everything lacks more names than are kept
 * for it), `skill-shadowed` (warning), `skill-near-collision` and `tool-near-collision` (warning:
 * names of skills, or of tools that they name, that are easily mistaken for each other),
 * `skill-renamed` (info).
 *
 * @throws {SkillError} `invalid-options` for labels that are not distinct, for an option or a rule
 *   that does not exist, and for a timeout that is not a number of milliseconds. Calls reject with
 *   `source-unavailable` if no source answers, and for a name that is unknown to all sources that
 *   answer while another one does not.
 * @example
 * ```ts
 * import { composeProviders, SkillRegistry } from '@repertoire/skills-core';
 *
 * const ours = new SkillRegistry({ skills: [{ name: 'billing', description: 'Refunds. Use for money.', body: 'Ask for the order id.' }], label: 'ours' });
 * const tenant = new SkillRegistry({ label: 'tenant', trusted: false });
 *
 * export const provider = composeProviders([ours, tenant], { onCollision: 'first' });
 * ```
 */
export function composeProviders(providers: readonly SkillProvider[], options: ComposeProvidersOptions = {}): SkillProvider {
  assertKnownOptions('composeProviders', options, knownOptions);
  const { label = 'skills', onCollision = 'first', timeoutMs = defaultTimeoutMs, setTimer = platformTimer } = options;
  const labels = providers.map((provider) => provider.label);
  checkLabels(labels);
  if (!(timeoutMs > 0 && (timeoutMs <= maxTimeoutMs || timeoutMs === Number.POSITIVE_INFINITY))) {
    throw new SkillError(
      'invalid-options',
      `Option "timeoutMs" of composeProviders is ${timeoutMs}. Give milliseconds from 1 to ${maxTimeoutMs}, or Infinity to wait forever.`,
    );
  }
  const withholds = options.beforeFirstAnswer === 'withhold';
  const sources = providers.map((provider) => new ComposedSource(provider, timeoutMs, setTimer));
  /** The sources, best first. */
  const byPrecedence = onCollision === 'last' ? sources.toReversed() : sources;
  const changes = new ChangeNotifier(() => {
    const ends = providers.map((provider) => provider.watch?.(() => changes.notify()));
    return () => ends.forEach((end) => end?.());
  });
  const trusts = new Set(providers.map((provider) => provider.trusted));
  const [trusted] = trusts.size === 1 ? trusts : [];
  /** Equal listings of the sources give the same one. */
  let last: { readonly parts: readonly SkillListing[]; readonly listing: SkillListing } | undefined;
  let closing: Promise<void> | undefined;

  function begin(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (closing !== undefined)
      throw new SkillError('source-unavailable', `"${label}" was closed. Make a new composition.`, { source: label });
  }

  /** @throws {SkillError} `source-unavailable` if no source answers */
  async function list(signal: AbortSignal | undefined): Promise<SkillListing> {
    const answers = await Promise.all(
      byPrecedence.map((source) =>
        source.list(signal).then(
          (listing): SourceAnswer => ({ source, listing }),
          (error: unknown): SourceAnswer => ({ source, error: error as SkillError }),
        ),
      ),
    );
    signal?.throwIfAborted();
    const failures = answers.flatMap((answer) =>
      answer.listing === undefined ? [{ label: answer.source.label, error: answer.error }] : [],
    );
    if (failures.length > 0 && failures.length === answers.length) throw noSourceAnswers(label, failures);
    const parts = answers.flatMap(({ listing }) => listing ?? []);
    const isUnchanged = failures.length === 0 && last?.parts.length === parts.length && last.parts.every((part, at) => part === parts[at]);
    if (last !== undefined && isUnchanged) return last.listing;
    const listing = combine(answers, failures);
    last = failures.length === 0 ? { parts, listing } : undefined;
    return listing;
  }

  function combine(answers: readonly SourceAnswer[], failures: readonly SourceFailure[]): SkillListing {
    const hidden: SkillDiagnostic[] = [];
    const listings = answers.map((answer, index) => shownOf(answer, index, hidden));
    const merged = mergeListings(listings, labels, onCollision);
    const released = answers.flatMap(({ source, listing }) =>
      listing !== undefined && source.released > 0 ? [namesReleased(source.label, source.released)] : [],
    );
    // A share for each source, so that none crowds out the others.
    const share = Math.ceil(maxDiagnostics / answers.length);
    const theirs = answers.flatMap(({ source, listing }) =>
      boundedDiagnostics(listing?.diagnostics ?? [], share).map((diagnostic) => ({
        ...diagnostic,
        message: `${source.label}: ${diagnostic.message}`,
      })),
    );
    const diagnostics = [...failures.map(outageDiagnostic), ...hidden, ...released, ...merged.diagnostics, ...theirs];
    const complete = hidden.length === 0 && answers.every(({ listing }) => listing?.complete === true);
    const old = answers.flatMap(({ listing }) => Object.entries(listing?.unconfirmed ?? {}));
    return deepFreeze({ skills: merged.skills, diagnostics, complete, ...(old.length > 0 && { unconfirmed: Object.fromEntries(old) }) });
  }

  /** The skills of one source that no failing source keeps from being listed. */
  function shownOf({ source, listing }: SourceAnswer, index: number, hidden: SkillDiagnostic[]): SourceListing {
    if (listing === undefined) return { label: source.label, skills: [], missed: source.known };
    const ofTrusted = keeperOf(index, true);
    const ofOthers = keeperOf(index, false);
    const skills = listing.skills.filter((skill) => (isTrusted(skill) ? ofTrusted : ofOthers) === undefined);
    const keeper = ofTrusted ?? ofOthers;
    if (keeper !== undefined && skills.length < listing.skills.length)
      hidden.push(withheld(source.label, keeper.label, ofTrusted === undefined));
    return { label: source.label, skills, missed: source.missed };
  }

  /** The source, if any, that keeps a skill of the source at this position from being listed. */
  function keeperOf(index: number, isOfTrusted: boolean): ComposedSource | undefined {
    return byPrecedence.find(
      (other, at) =>
        (!isOfTrusted && other.mayOwnAnyName) ||
        (withholds && at < index && other.failing && !other.heard && (!isOfTrusted || other.trusted !== false)),
    );
  }

  /**
   * The sources that may have a skill, and its name there.
   *
   * @param asked the label of the source that a call names
   */
  function candidatesFor(name: string, asked: string | undefined) {
    const qualified = parseQualifiedName(name, labels);
    const own = byPrecedence.find((source) => source.label === (qualified?.label ?? asked));
    return { among: own === undefined ? byPrecedence : [own], ownName: qualified?.name ?? name };
  }

  /** Asks the source that a call names, or else the one that has the name. */
  async function route<Answer>(name: string, call: GetSkillOptions, question: Question<Answer>): Promise<Answer | null> {
    const { among, ownName } = candidatesFor(name, call.source);
    if (call.source !== undefined) return await askOfLabel(among, ownName, call, question);
    const [qualified] = ownName === name ? [] : among;
    if (qualified !== undefined) return await qualified.call(call.signal, (own) => question.ask(qualified.provider, ownName, own));
    if (onCollision === 'error') await list(call.signal);
    return await askByName(name, call, question);
  }

  /**
   * Asks the source that has the name. It asks anew each time, best source first, so it needs no
   * listing before. Sources are asked for a trusted skill first, then for one without trust, as the
   * listing gives names. A source that failed last is asked after the others, unless it is known to
   * have the name: so it costs them no time, and what is served is what was listed without it.
   */
  async function askByName<Answer>(name: string, call: GetSkillOptions, question: Question<Answer>): Promise<Answer | null> {
    const failed = new Map<ComposedSource, SourceFailure>();
    /** Skills without trust, of sources that were asked for a trusted one. */
    const later = new Map<ComposedSource, Answer>();
    /** Sources that do not have the name at all. */
    const without = new Set<ComposedSource>();

    /** Answers `undefined` where the source has no such skill of this trust. */
    async function askForTrust(source: ComposedSource, isWanted: boolean): Promise<Answer | null | undefined> {
      const { version, place, content, signal } = call;
      const kept = later.get(source);
      if (kept !== undefined) return kept;
      const look = () => source.call(signal, (own) => source.provider.getSkill(name, own));
      const expected = source.trusted ?? source.known.get(name)?.trusted;
      if (expected === !isWanted) return undefined;
      if (expected === undefined && question.skillIn === undefined) {
        const skill = await look();
        if (skill === null || isTrusted(skill) !== isWanted) return undefined;
      }
      const answer = await source.call(signal, (own) => question.ask(source.provider, name, own));
      if (answer !== null) {
        const skill = question.skillIn?.(answer);
        if (skill === undefined || source.trusted !== undefined || isTrusted(skill) || !isWanted) return answer;
        later.set(source, answer);
        return undefined;
      }
      if (source.missed.has(name)) throw listedInPart(name, source.label);
      // The source may lack only the version or file: another source's skill is another skill.
      const isPlain = version === undefined && place === undefined && content === undefined;
      if (isPlain && question.skillIn !== undefined) return void without.add(source);
      const other = await look();
      return other === null || isTrusted(other) !== isWanted ? undefined : null;
    }

    for (const isWanted of [true, false]) {
      const doubtful = (source: ComposedSource) => source.failing && !source.knows(name);
      const isWithheld = withholds && byPrecedence.some((source) => source.failing && !source.heard);
      const order = isWithheld ? byPrecedence : [...byPrecedence.filter((source) => !doubtful(source)), ...byPrecedence.filter(doubtful)];
      for (const source of order) {
        if (failed.has(source) || without.has(source)) continue;
        try {
          const answer = await askForTrust(source, isWanted);
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

  /** The content of a skill, told by the source that has it. */
  async function contentOf(name: string, call: GetSkillOptions): Promise<string | null | undefined> {
    const { among, ownName } = candidatesFor(name, call.source);
    if (call.source === undefined && ownName === name) {
      const { version, signal } = call;
      const { skills } = await list(signal);
      const listed = skills.find(
        (skill) => skill.name === name && (version === undefined || skill.version === version) && isFrom(skill, call),
      );
      return listed && (await contentOf(name, { ...call, source: listed.origin?.label ?? '' }));
    }
    // Of a source inside a source, the listing tells where it is.
    if (among.length > 1)
      await Promise.allSettled(among.filter(({ heard }) => !heard).map(async (source) => await source.list(call.signal)));
    const holders = among.length > 1 ? among.filter(({ known }) => known.get(ownName)?.label === call.source) : among;
    for (const source of holders) {
      const content = await source.call(call.signal, async (own) => await source.provider.contentOf?.(ownName, { ...call, ...own }));
      if (content !== undefined) return content;
    }
    return undefined;
  }

  return {
    label,
    ...(trusted !== undefined && { trusted }),

    async listSkills({ signal } = {}) {
      begin(signal);
      return await list(signal);
    },

    async getSkill(name, call = {}) {
      begin(call.signal);
      const skill = await route<Skill>(name, call, {
        async ask(provider, ownName, own) {
          const found = await provider.getSkill(ownName, { ...call, ...own });
          return found === null ? null : asListed(found, found.name, provider.label);
        },
        skillIn: (answer) => answer,
      });
      return skill === null ? null : asListed(skill, name, label);
    },

    async readResource(name, path, call = {}) {
      begin(call.signal);
      return await route(name, call, { ask: (provider, ownName, own) => provider.readResource(ownName, path, { ...call, ...own }) });
    },

    ...(providers.some((provider) => provider.contentOf !== undefined) && {
      async contentOf(name: string, call: GetSkillOptions = {}) {
        begin(call.signal);
        return await contentOf(name, call);
      },
    }),

    ...(providers.some((provider) => provider.watch !== undefined) && { watch: (onChange: () => void) => changes.watch(onChange) }),

    ...(providers.some((provider) => provider.mayList !== undefined) && {
      mayList: (skill: SkillMetadata) => mayListSome(providers, skill),
    }),
    gatedTools: () => [...new Set(providers.flatMap((provider) => provider.gatedTools?.() ?? []))],
    // Those of a source that stands before another win, as its skills do.
    toolSet: () => Object.assign({}, ...providers.toReversed().map((provider) => provider.toolSet?.())) as Record<string, object>,

    async [Symbol.asyncDispose]() {
      changes.close();
      closing ??= disposeSources(label, providers);
      await closing;
    },
  };
}

/** What a source answered to a question for its listing. */
type SourceAnswer =
  | { readonly source: ComposedSource; readonly listing: SkillListing }
  | { readonly source: ComposedSource; readonly listing?: undefined; readonly error: SkillError };

/** A question to whichever source has a skill. */
interface Question<Answer> {
  ask(provider: SkillProvider, name: string, call: SkillCallOptions): Promise<Answer | null>;
  /** The skill that an answer is; left out for questions about a file. */
  skillIn?(answer: Answer): Skill;
}

/** By the source that it came from; one that lies deeper in a composition, all must let pass. */
function mayListSome(providers: readonly SkillProvider[], skill: SkillMetadata): boolean {
  const label = skill.origin?.label;
  const own = providers.filter((provider) => provider.label === label);
  return (own.length === 0 ? providers : own).every((provider) => {
    const prefix = `${provider.label}:`;
    const name = skill.name.startsWith(prefix) ? skill.name.slice(prefix.length) : skill.name;
    return provider.mayList?.({ ...skill, name }) !== false;
  });
}

/**
 * Asks for a skill of the source with this label, and of no other. The label may be of a source
 * inside a source: then each is asked, and what it answers must be of that label.
 *
 * @param sources the source with the label alone, or every source that may hold it
 * @throws {SkillError} what a source says is wrong, where no other one has the skill
 */
async function askOfLabel<Answer>(
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

const platformTimer: SetTimer = (callback, milliseconds) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};
