import type { GetSkillOptions, Skill, SkillMetadata, SkillProvider } from '../../contract/skill-provider.ts';
import { assertKnownOptions, type OptionRules } from '../../contract/known-options.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { ChangeNotifier } from '../support/change-notifier.ts';
import { asListed } from './as-listed.ts';
import { askByName, askOfLabel, type Question } from './ask-sources.ts';
import { ComposedListings } from './composed-listings.ts';
import { ComposedSource, type SetTimer } from './composed-source.ts';
import { candidatesFor, type Composition } from './composition.ts';
import { contentOfSources } from './content-of-sources.ts';
import type { SkillCollisionRule } from './merge-listings.ts';
import { checkLabels } from './qualified-name.ts';
import { disposeSources } from './source-reports.ts';

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
  const composition = compositionOf(providers, options);
  const { label } = composition;
  const listings = new ComposedListings(composition);
  const changes = new ChangeNotifier(() => {
    const ends = providers.map((provider) => provider.watch?.(() => changes.notify()));
    return () => ends.forEach((end) => end?.());
  });
  const trusts = new Set(providers.map((provider) => provider.trusted));
  const [trusted] = trusts.size === 1 ? trusts : [];
  let closing: Promise<void> | undefined;

  function begin(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (closing !== undefined)
      throw new SkillError('source-unavailable', `"${label}" was closed. Make a new composition.`, { source: label });
  }

  return {
    label,
    ...(trusted !== undefined && { trusted }),

    async listSkills({ signal } = {}) {
      begin(signal);
      return await listings.list(signal);
    },

    async getSkill(name, call = {}) {
      begin(call.signal);
      const skill = await route(composition, listings, name, call, questionForSkill(call));
      return skill === null ? null : asListed(skill, name, label);
    },

    async readResource(name, path, call = {}) {
      begin(call.signal);
      return await route(composition, listings, name, call, {
        ask: (provider, ownName, own) => provider.readResource(ownName, path, { ...call, ...own }),
      });
    },

    ...(providers.some((provider) => provider.contentOf !== undefined) && {
      async contentOf(name: string, call: GetSkillOptions = {}) {
        begin(call.signal);
        return await contentOfSources(composition, listings, name, call);
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

function compositionOf(providers: readonly SkillProvider[], options: ComposeProvidersOptions): Composition {
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
  const sources = providers.map((provider) => new ComposedSource(provider, timeoutMs, setTimer));
  const byPrecedence = onCollision === 'last' ? sources.toReversed() : sources;
  return { label, labels, byPrecedence, onCollision, withholds: options.beforeFirstAnswer === 'withhold' };
}

function questionForSkill(call: GetSkillOptions): Question<Skill> {
  return {
    async ask(provider, ownName, own) {
      const found = await provider.getSkill(ownName, { ...call, ...own });
      return found === null ? null : asListed(found, found.name, provider.label);
    },
    skillIn: (answer) => answer,
  };
}

/** Asks the source that a call names, or else the one that has the name. */
async function route<Answer>(
  composition: Composition,
  listings: ComposedListings,
  name: string,
  call: GetSkillOptions,
  question: Question<Answer>,
): Promise<Answer | null> {
  const { among, ownName } = candidatesFor(composition, name, call.source);
  if (call.source !== undefined) return await askOfLabel(among, ownName, call, question);
  const [qualified] = ownName === name ? [] : among;
  if (qualified !== undefined) return await qualified.call(call.signal, (own) => question.ask(qualified.provider, ownName, own));
  if (composition.onCollision === 'error') await listings.list(call.signal);
  return await askByName(composition, name, call, question);
}

const platformTimer: SetTimer = (callback, milliseconds) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};
