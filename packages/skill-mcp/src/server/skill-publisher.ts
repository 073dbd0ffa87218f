import type { McpServer } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import type { SkillDiagnostic, SkillProvider } from '@repertoire/skills-core';
import { exposePrompts, type ExposedPrompts } from './expose-prompts.ts';
import { exposeTools } from './expose-tools.ts';
import { ExposedSkills } from './exposed-skills.ts';
import type { PrimeOptions } from './prime-options.ts';
import { PublishedIndex } from './published-index.ts';
import { publishSettings, type PublishSettings, type ServeSkillsOverMcpOptions } from './serve-skills-over-mcp-options.ts';
import { serveLenientEntries } from './serve-lenient-entries.ts';
import { servePrompts } from './serve-prompts.ts';
import { skillSource } from './skill-source.ts';

/** One provider on any number of servers, with shared digests and notifications. */
export class SkillPublisher {
  readonly #provider: SkillProvider;
  readonly #settings: PublishSettings;
  readonly #index: PublishedIndex;
  readonly #source: ReturnType<typeof skillSource>;
  readonly #extension: SkillsExtension;
  readonly #exposed: ExposedSkills;
  readonly #listeners = new Set<() => void>();
  readonly #refused = new Map<string, SkillDiagnostic>();
  #stopWatching: (() => void) | undefined;

  /** @param of the function whose options they are */
  constructor(provider: SkillProvider, options: ServeSkillsOverMcpOptions, of: string) {
    this.#provider = provider;
    this.#settings = publishSettings(options, of);
    this.#index = new PublishedIndex(provider, this.#settings);
    this.#source = skillSource(provider, this.#index, this.#settings, () => this.changed());
    const keepMs = provider.watch === undefined ? this.#settings.refreshMs : Number.POSITIVE_INFINITY;
    this.#exposed = new ExposedSkills(provider, keepMs, this.#settings.now);
    this.#extension = new SkillsExtension({
      source: this.#source,
      baseUri: this.#settings.base,
      cacheHint: this.#settings.cacheHint,
      onWarning: ({ path, message }) => this.#refused.set(path, refusedByExtension(path, message)),
    });
  }

  /** Serves on a server that is not connected yet. Prompts exist after a refresh. */
  attach(server: McpServer): ExposedPrompts | null {
    this.#serve(server);
    return this.#settings.exposeTools ? exposePrompts(server, this.#exposed) : null;
  }

  /** Serves on a server of our own. Everything is available at once and read on demand. */
  attachAlone(server: McpServer): void {
    this.#serve(server);
    if (this.#settings.exposeTools) servePrompts(server, this.#exposed);
  }

  #serve(server: McpServer): void {
    this.#extension.attach(server);
    if (this.#settings.profile === 'lenient') serveLenientEntries(server, this.#source, this.#settings);
    if (this.#settings.exposeTools) exposeTools(server, this.#exposed);
  }

  /** Whether there are tools and prompts in addition to the extension. */
  get exposesTools(): boolean {
    return this.#settings.exposeTools;
  }

  /** Calls `listener` after each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    if (this.#listeners.size === 0) this.#stopWatching = this.#provider.watch?.(() => this.changed());
    const own = () => listener();
    this.#listeners.add(own);
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.#stopWatching?.();
    };
  }

  changed(): void {
    this.#index.invalidate();
    this.#exposed.invalidate();
    this.#refused.clear();
    for (const listener of this.#listeners) listener();
  }

  /** Reads everything, so that no client has to wait. */
  async prime({ onProgress, signal }: PrimeOptions = {}): Promise<void> {
    const tell = (done: number, total: number): void => {
      try {
        onProgress?.(done, total);
      } catch {
        // Errors of a progress listener must not stop the work.
      }
    };
    await this.#index.prime(tell, signal);
    if (this.#settings.exposeTools) await this.#exposed.session(this.#exposed.progressive, signal);
  }

  async diagnostics(): Promise<readonly SkillDiagnostic[]> {
    return [...(await this.#index.diagnostics()), ...this.#refused.values()].map((diagnostic) => ({ ...diagnostic }));
  }
}

function refusedByExtension(path: string, message: string): SkillDiagnostic {
  return {
    code: 'skill-not-published',
    severity: 'error',
    message: `${path} is not published: ${message}.`,
    path,
    fix: 'Change the skill so that it keeps to the extension.',
  };
}
