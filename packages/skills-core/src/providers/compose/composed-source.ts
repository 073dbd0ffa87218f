import { messageOf } from '../../errors/message-of.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import type { SkillCallOptions, SkillListing, SkillMetadata, SkillProvider } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { readListing } from '../read-listing.ts';
import { abortable } from '../support/abortable.ts';

/** Calls back after some milliseconds; the returned function cancels it. */
export type SetTimer = (callback: () => void, milliseconds: number) => () => void;

/** Bounds names of sources whose listings are never complete. */
const maxMissedNames = 10_000;

/** What the last listing said of a name. */
export interface KnownName {
  readonly trusted: boolean;
  /** Label in the origin of the skill. */
  readonly label: string;
}

/**
 * Adds a timeout, converts failures to `SkillError`, remembers listed names. Only `list` and `call`
 * write its fields.
 */
export class ComposedSource {
  readonly provider: SkillProvider;
  readonly label: string;
  /** The names of its last successful listing. */
  known: ReadonlyMap<string, KnownName> = new Map();
  /** Earlier names that an incomplete listing lacks. They stay its own. */
  missed: ReadonlyMap<string, KnownName> = new Map();
  /** How many names the last listing made it give up, beyond the bound. */
  released = 0;
  /** Whether it has listed its skills once. */
  heard = false;
  /** Whether its last call went wrong. */
  failing = false;
  readonly #timeoutMs: number;
  readonly #setTimer: SetTimer;

  constructor(provider: SkillProvider, timeoutMs: number, setTimer: SetTimer) {
    this.provider = provider;
    this.label = provider.label;
    this.#timeoutMs = timeoutMs;
    this.#setTimer = setTimer;
  }

  /** Whether the host trusts all of its skills, or none; `undefined` where that is not known. */
  get trusted(): boolean | undefined {
    return this.provider.trusted;
  }

  /** Whether it fails, never answered, and may have trusted skills. */
  get mayOwnAnyName(): boolean {
    return this.failing && !this.heard && this.trusted !== false;
  }

  /** Whether its last successful listing had this name. */
  knows(name: string): boolean {
    return this.known.has(name);
  }

  async list(signal: AbortSignal | undefined): Promise<SkillListing> {
    const listing = await this.call(signal, (options) => readListing(this.provider, options));
    const listed = new Map(listing.skills.map((skill): [string, KnownName] => [skill.name, this.#nameOf(skill)]));
    // Names of the listing before come first, so those that were missed longest are given up.
    const missed = listing.complete ? [] : [...this.known].filter(([name]) => !listed.has(name));
    this.missed = new Map(missed.slice(0, maxMissedNames));
    this.released = missed.length - this.missed.size;
    this.known = new Map([...listed, ...this.missed]);
    this.heard = true;
    return listing;
  }

  /** Asks the source. Rejects with the caller's reason, `timeout`, or the source's error. */
  async call<Answer>(signal: AbortSignal | undefined, ask: (options: SkillCallOptions) => Promise<Answer>): Promise<Answer> {
    const patience = new AbortController();
    const stopTimer = Number.isFinite(this.#timeoutMs) ? this.#setTimer(() => patience.abort(this.#tooLate()), this.#timeoutMs) : () => {};
    const either = signal === undefined ? patience.signal : AbortSignal.any([signal, patience.signal]);
    try {
      const answer = await abortable(() => ask({ signal: either }), either);
      this.failing = false;
      return answer;
    } catch (error) {
      signal?.throwIfAborted();
      const failure = patience.signal.aborted ? (patience.signal.reason as SkillError) : asSkillError(error, this.label);
      this.failing = isOutage(failure);
      throw failure;
    } finally {
      stopTimer();
    }
  }

  #nameOf(skill: SkillMetadata): KnownName {
    return { trusted: isTrusted(skill), label: skill.origin?.label ?? this.label };
  }

  #tooLate(): SkillError {
    return new SkillError(
      'timeout',
      `Source "${this.label}" did not answer within ${this.#timeoutMs} ms. Try again, or give composeProviders a larger timeoutMs.`,
      { source: this.label },
    );
  }
}

/** Whether the source cannot answer at all, and not only for one skill. */
export function isOutage(error: SkillError): boolean {
  return error.code === 'source-unavailable' || error.code === 'timeout';
}

function asSkillError(error: unknown, label: string): SkillError {
  if (SkillError.isInstance(error)) return error;
  const why = messageOf(error);
  return new SkillError('source-unavailable', `Source "${label}" failed: ${why}`, { source: label, cause: error });
}
