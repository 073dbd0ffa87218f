import { isJsonObject, Pace } from '@repertoire/skills-core/internal';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { abortable } from '@repertoire/skills-core/provider';
import { startOfMessage, unavailable, type McpCall } from './mcp-call.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';

/** The items of all pages. */
export interface WalkedPages {
  readonly items: readonly unknown[];
  /** `ttlMs` of the first page. */
  readonly ttlMs: number | undefined;
  /** Whether the listing reached its end. */
  readonly complete: boolean;
  /** Whether it was cut by a timeout or a failed page, so that the rest is unknown. */
  readonly interrupted: boolean;
  /** Why it was cut. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** A request whose answer comes in pages. */
export interface PagedRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** The field of an answer that has the items. */
  readonly itemsKey: string;
}

/** What an item costs, in characters of text. */
const itemCost = 1_024;

/**
 * Reads pages within limits, and no cursor twice. Only the first page rejects.
 *
 * @param take is given every item, while the server makes the next page
 */
export async function walkPages(
  call: McpCall,
  request: PagedRequest,
  settings: McpSkillSettings,
  take?: (item: unknown) => void,
): Promise<WalkedPages> {
  const { limits, listTimeoutMs, label } = settings;
  const items: unknown[] = [];
  const seen = new Set<string>();
  const deadline = new AbortController();
  const stopTimer = settings.setTimer(() => deadline.abort(), listTimeoutMs);
  const pace = new Pace();
  let ttlMs: number | undefined;
  const cut = (why: string, interrupted = false): WalkedPages => ({
    items,
    ttlMs: 0,
    complete: false,
    interrupted,
    diagnostics: [truncated(label, request.method, why)],
  });
  const ask = asking(call, request, deadline.signal);
  try {
    let asked = ask();
    for (let pages = 1; ; pages += 1) {
      let answer: unknown;
      try {
        answer = await asked;
      } catch (error) {
        if (pages === 1 && !deadline.signal.aborted) throw error;
        if (pages === 1) throw unavailable(label, `${request.method} did not come within ${listTimeoutMs} ms`);
        // The pages before are still valid, and the listing says that it is not complete.
        if (!deadline.signal.aborted) return cut(`page ${pages} failed: ${startOfMessage(error)}`, true);
        return cut(`it was not at its end after ${listTimeoutMs} ms (listTimeoutMs)`, true);
      }
      const page = pageOf(answer, request.itemsKey);
      if (page === null) {
        if (pages === 1) throw unavailable(label, `${request.method} answered without ${request.itemsKey}`);
        return cut(`page ${pages} had no ${request.itemsKey}`, true);
      }
      if (pages === 1) ({ ttlMs } = page);
      const { found, cursor } = page;
      const taken = found.slice(0, limits.skills - items.length);
      for (const item of taken) items.push(item);
      const why =
        taken.length < found.length
          ? `it has more than ${limits.skills} entries (limits.skills)`
          : whyNoMore(cursor, seen, pages, limits.pages);
      if (why === undefined && cursor !== undefined) asked = ask(cursor);
      for (const item of take === undefined ? [] : taken) {
        await pace.spend(itemCost);
        take?.(item);
      }
      if (why !== undefined) return cut(why);
      if (cursor === undefined) return { items, ttlMs, complete: true, interrupted: false, diagnostics: [] };
      seen.add(cursor);
    }
  } finally {
    stopTimer();
  }
}

function asking(call: McpCall, { method, params }: PagedRequest, signal: AbortSignal): (cursor?: string) => Promise<unknown> {
  return (cursor) => {
    const answer = abortable(() => call(method, { ...params, ...(cursor !== undefined && { cursor }) }, signal), signal);
    // It may fail before it is awaited.
    answer.catch(() => {});
    return answer;
  };
}

interface Page {
  readonly found: readonly unknown[];
  readonly cursor: string | undefined;
  readonly ttlMs: number | undefined;
}

function pageOf(answer: unknown, itemsKey: string): Page | null {
  const { [itemsKey]: found, nextCursor, ttlMs } = isJsonObject(answer) ? answer : {};
  if (!Array.isArray(found)) return null;
  return {
    found,
    cursor: typeof nextCursor === 'string' ? nextCursor : undefined,
    ttlMs: typeof ttlMs === 'number' ? ttlMs : undefined,
  };
}

/** Why the page of a cursor is not read, if there is one. */
function whyNoMore(cursor: string | undefined, seen: ReadonlySet<string>, pages: number, most: number): string | undefined {
  if (cursor === undefined) return undefined;
  if (seen.has(cursor)) return `it goes in circles: its cursor ${JSON.stringify(cursor.slice(0, 100))} came twice`;
  return pages === most ? `it has more than ${most} pages (limits.pages)` : undefined;
}

function truncated(label: string, method: string, why: string): SkillDiagnostic {
  return {
    code: 'listing-truncated',
    severity: 'error',
    message: `The answer of "${label}" to ${method} was cut: ${why}. What came before is used.`,
    fix: 'Look at the server; raise the limit if it really has so much.',
  };
}
