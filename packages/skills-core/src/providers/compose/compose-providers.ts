import type {
  GetSkillOptions,
  ReadResourceOptions,
  Skill,
  SkillCallOptions,
  SkillDiagnostic,
  SkillListing,
  SkillProvider,
  SkillResource,
} from '../../contract/skill-provider.ts';
import { isFrom } from '../../contract/skill-identity.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import { deepFreeze } from '../../contract/deep-freeze.ts';
import { boundedDiagnostics, maxDiagnostics } from '../../contract/diagnostic-list.ts';
import { assertKnownOptions, type OptionRules } from '../../contract/known-options.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { ChangeNotifier } from '../support/change-notifier.ts';
import { asListed } from './as-listed.ts';
import { askByName, askOfLabel, type Question } from './ask-sources.ts';
import { ComposedSource, type SetTimer } from './composed-source.ts';
import { mergeListings, type SkillCollisionRule, type SourceListing } from './merge-listings.ts';
import { checkLabels, parseQualifiedName } from './qualified-name.ts';
import { disposeSources, namesReleased, noSourceAnswers, outageDiagnostic, withheld, type SourceFailure } from './source-reports.ts';

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
 * import { composeProviders, inCodeSkillProvider, SkillRegistry } from '@repertoire/skills-core';
 *
 * const ours = inCodeSkillProvider([{ name: 'billing', description: 'Refunds. Use for money.', body: 'Ask for the order id.' }], { label: 'ours' });
 * const tenant = new SkillRegistry({ label: 'tenant', trusted: false });
 *
 * export const provider = composeProviders([ours, tenant], { onCollision: 'first' });
 * ```
 */
export function composeProviders(providers: readonly SkillProvider[], options: ComposeProvidersOptions = {}): SkillProvider {
  assertKnownOptions('composeProviders', options, knownOptions);
  const {
    label = 'skills',
    onCollision = 'first',
    beforeFirstAnswer = 'serve',
    timeoutMs = defaultTimeoutMs,
    setTimer = platformTimer,
  } = options;
  const labels = providers.map((provider) => provider.label);
  checkLabels(labels);
  if (!(timeoutMs > 0 && (timeoutMs <= maxTimeoutMs || timeoutMs === Number.POSITIVE_INFINITY))) {
    throw new SkillError(
      'invalid-options',
      `Option "timeoutMs" of composeProviders is ${timeoutMs}. Give milliseconds from 1 to ${maxTimeoutMs}, or Infinity to wait forever.`,
    );
  }
  const sources = providers.map((provider) => new ComposedSource(provider, timeoutMs, setTimer));
  const byPrecedence = onCollision === 'last' ? sources.toReversed() : sources;
  const changes = new ChangeNotifier(() => {
    const ends = providers.map((provider) => provider.watch?.(() => changes.notify()));
    return () => ends.forEach((end) => end?.());
  });
  const [allTrusted] =
    new Set(providers.map((provider) => provider.trusted)).size === 1 ? providers.map((provider) => provider.trusted) : [];
  /** The last listing and its parts: equal parts give the same listing. */
  let last: { readonly parts: readonly SkillListing[]; readonly listing: SkillListing } | undefined;
  let closing: Promise<void> | undefined;

  function begin(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (closing !== undefined)
      throw new SkillError('source-unavailable', `"${label}" was closed. Make a new composition.`, { source: label });
  }

  async function list(signal: AbortSignal | undefined): Promise<SkillListing> {
    const answers = await Promise.all(
      byPrecedence.map((source) =>
        source.list(signal).then(
          (listing) => ({ source, listing }),
          (error: unknown) => ({ source, failure: { label: source.label, error: error as SkillError } }),
        ),
      ),
    );
    signal?.throwIfAborted();
    const failures = answers.flatMap((answer) => ('failure' in answer ? [answer.failure] : []));
    if (failures.length > 0 && failures.length === sources.length) throw noSourceAnswers(label, failures);
    const parts = answers.flatMap((answer) => ('listing' in answer ? [answer.listing] : []));
    const isUnchanged =
      failures.length === 0 && last?.parts.length === parts.length && last.parts.every((part, index) => part === parts[index]);
    if (last !== undefined && isUnchanged) return last.listing;
    const listing = merge(answers, failures);
    last = failures.length === 0 ? { parts, listing } : undefined;
    return listing;
  }

  function merge(
    answers: readonly { readonly source: ComposedSource; readonly listing?: SkillListing }[],
    failures: readonly SourceFailure[],
  ): SkillListing {
    // The source, if any, that keeps a skill of the source at this position from being listed.
    const keeps = (index: number, trusted: boolean): ComposedSource | undefined =>
      byPrecedence.find(
        (other, at) =>
          (!trusted && other.mayOwnAnyName) ||
          (beforeFirstAnswer === 'withhold' && at < index && other.failing && !other.heard && (!trusted || other.trusted !== false)),
      );
    const hidden: SkillDiagnostic[] = [];
    const listings = answers.map(({ source, listing }, index): SourceListing => {
      if (listing === undefined) return { label: source.label, skills: [], missed: source.known };
      const [trusted, untrusted] = [keeps(index, true), keeps(index, false)];
      const skills = listing.skills.filter((skill) => (isTrusted(skill) ? trusted : untrusted) === undefined);
      const keeper = trusted ?? untrusted;
      if (keeper !== undefined && skills.length < listing.skills.length)
        hidden.push(withheld(source.label, keeper.label, trusted === undefined));
      return { label: source.label, skills, missed: source.missed };
    });
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
    const complete = failures.length === 0 && hidden.length === 0 && answers.every(({ listing }) => listing?.complete === true);
    return deepFreeze({ skills: merged.skills, diagnostics, complete });
  }

  /** Sources that may have a named skill, and its name there. */
  function sourcesFor(name: string, asked: string | undefined): { readonly among: readonly ComposedSource[]; readonly ownName: string } {
    const qualified = parseQualifiedName(name, labels);
    const own = sources.find((source) => source.label === (qualified?.label ?? asked));
    return { among: own === undefined ? byPrecedence : [own], ownName: qualified?.name ?? name };
  }

  async function route<Answer>(name: string, options: GetSkillOptions, question: Question<Answer>): Promise<Answer | null> {
    begin(options.signal);
    const { among, ownName } = sourcesFor(name, options.source);
    if (options.source !== undefined) return await askOfLabel(among, ownName, options, question);
    const [qualified] = ownName === name ? [] : among;
    if (qualified !== undefined) return await qualified.call(options.signal, (call) => question.ask(qualified.provider, ownName, call));
    if (onCollision === 'error') await list(options.signal);
    return await askByName(byPrecedence, name, options, beforeFirstAnswer === 'withhold', question);
  }

  async function contentOf(name: string, options: GetSkillOptions): Promise<string | null | undefined> {
    begin(options.signal);
    const { among, ownName } = sourcesFor(name, options.source);
    if (options.source === undefined && ownName === name) {
      const { version, signal } = options;
      const { skills } = await list(signal);
      const listed = skills.find(
        (skill) => skill.name === name && (version === undefined || skill.version === version) && isFrom(skill, options),
      );
      return listed === undefined ? undefined : await contentOf(name, { ...options, source: listed.origin?.label ?? '' });
    }
    // Of a source inside a source, the listing tells where it is.
    if (among.length > 1)
      await Promise.allSettled(among.filter(({ heard }) => !heard).map(async (source) => await source.list(options.signal)));
    const holders = among.length > 1 ? among.filter(({ known }) => known.get(ownName)?.label === options.source) : among;
    for (const source of holders) {
      const content = await source.call(
        options.signal,
        async (call) => await source.provider.contentOf?.(ownName, { ...options, ...call }),
      );
      if (content !== undefined) return content;
    }
    return undefined;
  }

  return {
    label,
    ...(allTrusted !== undefined && { trusted: allTrusted }),

    async listSkills({ signal }: SkillCallOptions = {}) {
      begin(signal);
      return await list(signal);
    },

    async getSkill(name: string, options: GetSkillOptions = {}): Promise<Skill | null> {
      const skill = await route<Skill>(name, options, {
        ask: async (provider, ownName, call) => {
          const found = await provider.getSkill(ownName, { ...options, ...call });
          return found === null ? null : asListed(found, found.name, provider.label);
        },
        skillIn: (answer) => answer,
      });
      return skill === null ? null : asListed(skill, name, label);
    },

    async readResource(name: string, path: string, options: ReadResourceOptions = {}): Promise<SkillResource | null> {
      return await route(name, options, {
        ask: (provider, ownName, call) => provider.readResource(ownName, path, { ...options, ...call }),
      });
    },

    ...(providers.some((provider) => provider.contentOf !== undefined) && {
      contentOf: async (name: string, options: GetSkillOptions = {}) => await contentOf(name, options),
    }),

    ...(providers.some((provider) => provider.watch !== undefined) && { watch: (onChange: () => void) => changes.watch(onChange) }),

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

const platformTimer: SetTimer = (callback, milliseconds) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};
