import type { SkillDiagnostic, SkillProvider } from '@repertoire/skills-core';
import { assertKnownOptions, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import type { SkillCallOptions } from '@repertoire/skills-core/provider';
import { knownPublishOptions, publishSettings, type PublishOptions } from './publish-options.ts';
import { answer, type AnswerSettings } from './answer.ts';
import { SiteKeeper } from './site-keeper.ts';

/** Options of {@link createSkillsHandler}. */
export interface SkillsHandlerOptions extends PublishOptions {
  /**
   * `Cache-Control` of indexes, and of other paths whose contents can change.
   * @default 'public, max-age=60, stale-while-revalidate=600, stale-if-error=86400'
   */
  readonly cacheControl?: string | undefined;
  /** Pages that may read it: an origin, `true` for all, `false` for none. @default true */
  readonly cors?: boolean | string | undefined;
  /** Milliseconds until a provider without `watch` is asked again. @default 60_000 */
  readonly staleAfterMs?: number | undefined;
  /** Milliseconds for which artifacts of the previous index stay. @default 3_600_000 (an hour) */
  readonly keepSupersededMs?: number | undefined;
  /** The clock, in milliseconds since 1970; for tests. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** Options of {@link SkillsHandler.prime}. */
export interface PrimeOptions extends SkillCallOptions {
  /** Called with the number of skills that were read, and the total. What it throws is ignored. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A handler of requests, as Workers, Hono and route handlers take it. */
export interface SkillsHandler {
  (request: Request): Promise<Response>;
  /**
   * Reads everything that is published, so that the first request does not wait for it. Call it
   * before the server listens.
   *
   * @throws {SkillError} where the provider does not answer
   */
  prime(options?: PrimeOptions): Promise<void>;
  /**
   * What is not published, and why (`skill-not-published`, `skill-not-legacy`), why an old state is
   * served (`stale-site`), and what the provider itself says: errors, and why its listing is not
   * complete (`listing-incomplete`).
   */
  diagnostics(options?: SkillCallOptions): Promise<readonly SkillDiagnostic[]>;
  /** Ends watching the provider, which stays open. Requests after it are answered with 503. */
  [Symbol.asyncDispose](): Promise<void>;
}

const of = 'createSkillsHandler';
const knownOptions: OptionRules<SkillsHandlerOptions> = {
  ...knownPublishOptions,
  cacheControl: 'string',
  cors: { string: true, boolean: true },
  staleAfterMs: 'number',
  keepSupersededMs: 'number',
  now: '()',
};

/**
 * Publishes the skills of a provider by the discovery index 0.2.0 (`/.well-known/agent-skills`),
 * and by 0.1.0 (`/.well-known/skills`) for clients that know nothing newer. Answers GET and HEAD;
 * every other path is 404.
 *
 * `SKILL.md` is published as its author wrote it, byte for byte, and so is every other file.
 *
 * Everything is read before anything is served, so that an index and its artifacts are always
 * consistent. Artifacts are named by their contents, and those of the previous index stay for a
 * while. A skill that `select` refuses, or that was withdrawn, is not served by any path.
 *
 * The skills are public to whoever can reach the handler. Put authentication before it where they
 * are not.
 *
 * @throws {SkillError} `invalid-options`, at once
 * @example
 * ```ts
 * import { defineSkill, SkillRegistry } from '@repertoire/skills-core';
 * import { createSkillsHandler } from '@repertoire/skill-http/server';
 *
 * const haiku = defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.', body: 'Five, seven, five.' });
 * const handler = createSkillsHandler(new SkillRegistry({ skills: [haiku] }));
 *
 * export default { fetch: (request: Request) => handler(request) };
 * ```
 */
export function createSkillsHandler(provider: SkillProvider, options: SkillsHandlerOptions = {}): SkillsHandler {
  assertKnownOptions(of, options, knownOptions);
  const keeper = new SiteKeeper(provider, {
    ...publishSettings(options, of, false),
    staleAfterMs: numberOption('staleAfterMs', options.staleAfterMs, { of, fallback: 60_000, least: 0 }),
    keepSupersededMs: numberOption('keepSupersededMs', options.keepSupersededMs, { of, fallback: 3_600_000, least: 0 }),
    now: options.now ?? Date.now,
  });
  const settings: AnswerSettings = {
    cacheControl: options.cacheControl ?? 'public, max-age=60, stale-while-revalidate=600, stale-if-error=86400',
    cors: options.cors ?? true,
  };
  return Object.assign(async (request: Request) => await answer(request, keeper, settings), {
    async prime({ signal, onProgress }: PrimeOptions = {}): Promise<void> {
      await keeper.primed((done, total) => tellProgress(onProgress, done, total), signal);
    },
    async diagnostics({ signal }: SkillCallOptions = {}): Promise<readonly SkillDiagnostic[]> {
      signal?.throwIfAborted();
      const { diagnostics } = await keeper.current(signal);
      const stale: SkillDiagnostic[] =
        keeper.failure === null
          ? []
          : [
              {
                code: 'stale-site',
                severity: 'warning',
                message: `What was read last is served, since "${provider.label}" does not answer: ${keeper.failure.message}`,
              },
            ];
      return [...diagnostics, ...stale].map((diagnostic) => ({ ...diagnostic }));
    },
    async [Symbol.asyncDispose]() {
      keeper.close();
    },
  });
}

/** A listener must not stop the work. */
function tellProgress(onProgress: PrimeOptions['onProgress'], done: number, total: number): void {
  try {
    onProgress?.(done, total);
  } catch {
    // The error of a listener is ignored.
  }
}
