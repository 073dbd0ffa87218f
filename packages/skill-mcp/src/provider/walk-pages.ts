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

/** What an item costs, in characters of text. */
const itemCost = 1_024;

/**
 * Reads pages within limits, and no cursor twice. Only the first page rejects.
 *
 * @param take is given every item, while the server makes the next page
 */
export async function walkPages(
  call: McpCall,
  request: { readonly method: string; readonly params?: Readonly<Record<string, unknown>>; readonly itemsKey: string },
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
  const ask = (cursor?: string): Promise<unknown> => {
    const params = { ...request.params, ...(cursor !== undefined && { cursor }) };
    const answer = abortable(() => call(request.method, params, deadline.signal), deadline.signal);
    // It may fail before it is awaited.
    answer.catch(() => {});
    return answer;
  };
  /** Why the pages behind one are not read. */
  const whyCut = (pages: number, isWhole: boolean, cursor: string | undefined): string | undefined => {
    if (!isWhole) return `it has more than ${limits.skills} entries (limits.skills)`;
    if (cursor === undefined) return undefined;
    if (seen.has(cursor)) return `it goes in circles: its cursor ${JSON.stringify(cursor.slice(0, 100))} came twice`;
    return pages === limits.pages ? `it has more than ${limits.pages} pages (limits.pages)` : undefined;
  };
  try {
    let asked = ask();
    for (let pages = 1; ; pages += 1) {
      let answer: unknown;
      try {
        answer = await asked;
      } catch (error) {
        const isLate = deadline.signal.aborted;
        if (pages === 1) throw isLate ? unavailable(label, `${request.method} did not come within ${listTimeoutMs} ms`) : error;
        // The pages before are still valid, and the listing says that it is not complete.
        return cut(
          isLate ? `it was not at its end after ${listTimeoutMs} ms (listTimeoutMs)` : `page ${pages} failed: ${startOfMessage(error)}`,
          true,
        );
      }
      const found = isJsonObject(answer) ? answer[request.itemsKey] : undefined;
      if (!isJsonObject(answer) || !Array.isArray(found)) {
        if (pages === 1) throw unavailable(label, `${request.method} answered without ${request.itemsKey}`);
        return cut(`page ${pages} had no ${request.itemsKey}`, true);
      }
      if (pages === 1 && typeof answer['ttlMs'] === 'number') ttlMs = answer['ttlMs'];
      const taken: unknown[] = found.slice(0, limits.skills - items.length);
      for (const item of taken) items.push(item);
      const cursor = typeof answer['nextCursor'] === 'string' ? answer['nextCursor'] : undefined;
      const why = whyCut(pages, taken.length === found.length, cursor);
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

function truncated(label: string, method: string, why: string): SkillDiagnostic {
  return {
    code: 'listing-truncated',
    severity: 'error',
    message: `The answer of "${label}" to ${method} was cut: ${why}. What came before is used.`,
    fix: 'Look at the server; raise the limit if it really has so much.',
  };
}
