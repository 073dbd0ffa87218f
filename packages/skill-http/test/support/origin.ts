import { sha256Hex } from '@repertoire/skills-core/provider';
import { discoverySchema } from '../../src/discovery/discovery-format.ts';

/** A server in memory: answers by the path of a URL, and writes down what it was asked. */
export class Origin {
  /** What was asked: the method, the whole URL, and the condition. */
  readonly log: string[] = [];
  readonly requests: Request[] = [];
  /** Answers instead of the files, where it gives an answer. */
  intercept: ((request: Request) => Response | Promise<Response> | undefined) | undefined;
  readonly #files = new Map<string, () => Response>();

  readonly fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const condition = request.headers.get('if-none-match') ?? request.headers.get('if-modified-since');
    this.log.push(`${request.method} ${url.href.replace('https://skills.example', '')}${condition === null ? '' : ` if ${condition}`}`);
    this.requests.push(request);
    const answered = await this.intercept?.(request);
    return answered ?? this.#files.get(decodeURIComponent(url.pathname))?.() ?? new Response('no', { status: 404 });
  };

  put(path: string, content: string | Uint8Array, headers: Record<string, string> = {}): this {
    this.#files.set(path, () => new Response(content as string, { headers }));
    return this;
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  /** What was asked since it was asked last. */
  asked(): string[] {
    return this.log.splice(0);
  }
}

/** A skill of one file, as an entry and as a file. */
export async function skillMdEntry(name: string, text: string, url = `${name}/SKILL.md`): Promise<Record<string, unknown>> {
  return { name, type: 'skill-md', description: `Does ${name}. Use it for ${name}.`, url, digest: `sha256:${await sha256Hex(text)}` };
}

/** An archive as an entry. */
export async function archiveEntry(name: string, bytes: Uint8Array, url = `${name}.tar.gz`): Promise<Record<string, unknown>> {
  return { name, type: 'archive', description: `Does ${name}. Use it for ${name}.`, url, digest: `sha256:${await sha256Hex(bytes)}` };
}

/** An index 0.2.0. */
export function indexOf(skills: readonly unknown[]): string {
  return JSON.stringify({ $schema: discoverySchema, skills });
}

/** A clock that stands still, and timers that run as it is moved on. */
export class Clock {
  time = Date.parse('2026-11-21T12:00:00Z');
  readonly waits: number[] = [];
  #timers: { readonly at: number; readonly callback: () => void }[] = [];

  readonly now = (): number => this.time;

  readonly setTimer = (callback: () => void, milliseconds: number): (() => void) => {
    const timer = { at: this.time + milliseconds, callback };
    this.waits.push(milliseconds);
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  /** Timers that were neither stopped nor run. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Moves on, and runs what is due. */
  advance(milliseconds: number): void {
    this.time += milliseconds;
    const due = this.#timers.filter(({ at }) => at <= this.time);
    this.#timers = this.#timers.filter(({ at }) => at > this.time);
    for (const { callback } of due) callback();
  }
}

/** Lets everything that can go on go on, without a timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
