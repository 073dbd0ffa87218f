import type {
  GetSkillOptions,
  ReadResourceOptions,
  Skill,
  SkillCallOptions,
  SkillDiagnostic,
  SkillProvider,
  SkillResource,
} from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { ChangeNotifier } from '../support/change-notifier.ts';
import { ComposedSource, isOutage, type SetTimer } from './composed-source.ts';
import { mergeListings, type MergedListing, type SkillCollisionRule } from './merge-listings.ts';
import { checkLabels, parseQualifiedName } from './qualified-name.ts';
import {
  diagnosticsOfSource,
  disposeSources,
  noSourceAnswers,
  outageDiagnostic,
  unknownWhileFailing,
  type SourceFailure,
} from './source-reports.ts';

/** Options of {@link composeProviders}. */
export interface ComposeProvidersOptions {
  /** Names the composition, in errors. The origin of a skill stays that of its source. @default 'skills' */
  readonly label?: string | undefined;
  /**
   * What is done where two sources have a skill of the same name.
   *
   * - `first`: the source that stands first in the list has the name, with all of its versions; the skills of the others are hidden.
   * - `last`: the source that stands last has it.
   * - `rename`: as `first`, and the others are listed as `label:name`.
   * - `error`: nothing is served while there is a collision; every call rejects with `duplicate-skill`. For sources that are all one's own: another one could
   *   stop an agent by taking a name.
   *
   * @default 'first'
   */
  readonly onCollision?: SkillCollisionRule | undefined;
  /** Milliseconds that one call of one source may take; `Infinity` to wait for ever. @default 10000 */
  readonly timeoutMs?: number | undefined;
  /** The timer behind `timeoutMs`, for tests and for platforms of one's own. @default `setTimeout` */
  readonly setTimer?: SetTimer | undefined;
}

const defaultTimeoutMs = 10_000;
/** What `setTimeout` can count to; more would fire at once. */
const maxTimeoutMs = 2 ** 31 - 1;

/**
 * Many sources as one. The order of the list is the precedence, see {@link ComposeProvidersOptions.onCollision}.
 *
 * - A source that fails or hangs is left out of the listing and reported; the others are not harmed. Only where all fail does the listing reject.
 * - A name belongs to one source, the same for the listing, the body and the files. While a source fails, the names that it listed before stay its own: no other
 *   source's skill of that name is served in their place.
 * - Every skill, hidden or not, can be got as `label:name`. Nothing else can have such a name.
 * - Origin and trust stay those of the source.
 * - Disposing it disposes all of its sources.
 *
 * Diagnostics: those of the sources, each message behind its label, and `source-failed`, `source-timeout` (error), `skill-name-reserved` (error),
 * `skill-shadowed` (warning), `skill-near-collision` (warning: names that are easily taken for one another), `skill-renamed` (info).
 *
 * @throws {SkillError} `invalid-options` for labels that cannot be told apart, and for a timeout that is none. Calls reject with `source-unavailable` where no
 * source answers, and where a name is unknown to all sources that answer while another one does not.
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
  const { label = 'skills', onCollision = 'first', timeoutMs = defaultTimeoutMs, setTimer = platformTimer } = options;
  const labels = providers.map((provider) => provider.label);
  checkLabels(labels);
  checkTimeout(timeoutMs);
  const sources = providers.map((provider) => new ComposedSource(provider, timeoutMs, setTimer));
  const byPrecedence = onCollision === 'last' ? sources.toReversed() : sources;
  const changes = new ChangeNotifier(() => {
    const ends = providers.map((provider) => provider.watch?.(() => changes.notify()));
    return () => ends.forEach((end) => end?.());
  });
  let lastDiagnostics: readonly SkillDiagnostic[] | null = null;
  let closing: Promise<void> | undefined;

  function begin(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (closing !== undefined)
      throw new SkillError('source-unavailable', `"${label}" was closed. Make a new composition.`, { source: label });
  }

  async function list(signal: AbortSignal | undefined): Promise<MergedListing> {
    lastDiagnostics = null;
    const failures: SourceFailure[] = [];
    const answers = await Promise.all(
      byPrecedence.map((source) =>
        source.list(signal).then(
          (skills) => ({ label: source.label, skills }),
          (error: unknown) => {
            failures.push({ label: source.label, error: error as SkillError });
            return { label: source.label, skills: [], missed: source.known };
          },
        ),
      ),
    );
    signal?.throwIfAborted();
    if (failures.length > 0 && failures.length === sources.length) throw noSourceAnswers(label, failures);
    const { skills, diagnostics } = mergeListings(answers, labels, onCollision);
    lastDiagnostics = [...failures.map(outageDiagnostic), ...diagnostics];
    return { skills, diagnostics: lastDiagnostics };
  }

  /**
   * Asks the source that has the name. It asks afresh each time, best source first, so it needs no listing before. A source that failed last is asked after the
   * others, unless it is known to have the name: so it costs them no time, and what is served is what was listed without it.
   */
  async function ask<Answer>(name: string, { version, signal }: GetSkillOptions, question: Question<Answer>): Promise<Answer | null> {
    const doubtful = (source: ComposedSource) => source.failing && !source.knows(name);
    const order = [...byPrecedence.filter((source) => !doubtful(source)), ...byPrecedence.filter(doubtful)];
    let failure: SourceFailure | undefined;
    for (const source of order) {
      try {
        const answer = await source.call(signal, (call) => question.ask(source.provider, name, call));
        if (answer !== null) return answer;
        // The source may have the name without the version or the file. Another source's skill of that name is another skill.
        const decided = version === undefined && question.about === 'skill';
        if (!decided && (await source.call(signal, (call) => source.provider.getSkill(name, call))) !== null) return null;
      } catch (error) {
        signal?.throwIfAborted();
        if (!SkillError.isInstance(error) || !isOutage(error) || source.knows(name)) throw error;
        failure ??= { label: source.label, error };
      }
    }
    if (failure !== undefined) throw unknownWhileFailing(name, failure);
    return null;
  }

  async function route<Answer>(name: string, options: GetSkillOptions, question: Question<Answer>): Promise<Answer | null> {
    begin(options.signal);
    const qualified = parseQualifiedName(name, labels);
    const source = sources.find((candidate) => candidate.label === qualified?.label);
    if (qualified !== null && source !== undefined) {
      return await source.call(options.signal, (call) => question.ask(source.provider, qualified.name, call));
    }
    if (onCollision === 'error') await list(options.signal);
    return await ask(name, options, question);
  }

  return {
    label,

    async listSkills({ signal }: SkillCallOptions = {}) {
      begin(signal);
      return (await list(signal)).skills;
    },

    async getSkill(name: string, options: GetSkillOptions = {}): Promise<Skill | null> {
      const skill = await route(name, options, {
        about: 'skill',
        ask: (provider, ownName, call) => provider.getSkill(ownName, { ...options, ...call }),
      });
      return skill === null ? null : { ...skill, name };
    },

    async readResource(name: string, path: string, options: ReadResourceOptions = {}): Promise<SkillResource | null> {
      return await route(name, options, {
        about: 'file',
        ask: (provider, ownName, call) => provider.readResource(ownName, path, { ...options, ...call }),
      });
    },

    async diagnostics({ signal }: SkillCallOptions = {}) {
      begin(signal);
      const own = lastDiagnostics ?? (await list(signal)).diagnostics;
      const theirs = await Promise.all(sources.map((source) => diagnosticsOfSource(source, signal)));
      return [...own, ...theirs.flat()].map((diagnostic) => ({ ...diagnostic }));
    },

    ...(providers.some((provider) => provider.watch !== undefined) && { watch: (onChange: () => void) => changes.watch(onChange) }),

    async [Symbol.asyncDispose]() {
      changes.close();
      closing ??= disposeSources(label, providers);
      await closing;
    },
  };
}

/** A question to whichever source has a skill. */
interface Question<Answer> {
  readonly about: 'skill' | 'file';
  ask(provider: SkillProvider, name: string, call: SkillCallOptions): Promise<Answer | null>;
}

function checkTimeout(timeoutMs: number): void {
  if (timeoutMs > 0 && (timeoutMs <= maxTimeoutMs || timeoutMs === Number.POSITIVE_INFINITY)) return;
  throw new SkillError(
    'invalid-options',
    `timeoutMs is ${String(timeoutMs)}. Give milliseconds from 1 to ${maxTimeoutMs}, or Infinity to wait for ever.`,
  );
}

const platformTimer: SetTimer = (callback, milliseconds) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};
