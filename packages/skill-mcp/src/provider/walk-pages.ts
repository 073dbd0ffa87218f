import { isJsonObject } from '@repertoire/skills-core/internal';
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

/** Reads pages within limits, and no cursor twice. Only the first page rejects. */
export async function walkPages(
  call: McpCall,
  request: { readonly method: string; readonly params?: Readonly<Record<string, unknown>>; readonly itemsKey: string },
  settings: McpSkillSettings,
): Promise<WalkedPages> {
  const { limits, listTimeoutMs, label } = settings;
  const items: unknown[] = [];
  const seen = new Set<string>();
  const deadline = new AbortController();
  const stopTimer = settings.setTimer(() => deadline.abort(), listTimeoutMs);
  let cursor: string | undefined;
  let ttlMs: number | undefined;
  const cut = (why: string, interrupted = false): WalkedPages => ({
    items,
    ttlMs: 0,
    complete: false,
    interrupted,
    diagnostics: [truncated(label, request.method, why)],
  });
  try {
    for (let pages = 0; ; pages += 1) {
      if (pages === limits.pages) return cut(`it has more than ${limits.pages} pages (limits.pages)`);
      const params = { ...request.params, ...(cursor !== undefined && { cursor }) };
      let page: unknown;
      try {
        page = await abortable(() => call(request.method, params, deadline.signal), deadline.signal);
      } catch (error) {
        if (deadline.signal.aborted && pages > 0) return cut(`it was not at its end after ${listTimeoutMs} ms (listTimeoutMs)`, true);
        // The pages before are still valid, and the listing says that it is not complete.
        if (!deadline.signal.aborted && pages > 0) return cut(`page ${pages + 1} failed: ${startOfMessage(error)}`, true);
        throw deadline.signal.aborted ? unavailable(label, `${request.method} did not come within ${listTimeoutMs} ms`) : error;
      }
      const found = isJsonObject(page) ? page[request.itemsKey] : undefined;
      if ((!isJsonObject(page) || !Array.isArray(found)) && pages > 0) return cut(`page ${pages + 1} had no ${request.itemsKey}`, true);
      if (!isJsonObject(page) || !Array.isArray(found)) throw unavailable(label, `${request.method} answered without ${request.itemsKey}`);
      if (pages === 0 && typeof page['ttlMs'] === 'number') ttlMs = page['ttlMs'];
      const room = limits.skills - items.length;
      for (const item of found.slice(0, room)) items.push(item);
      if (found.length > room) return cut(`it has more than ${limits.skills} entries (limits.skills)`);
      cursor = typeof page['nextCursor'] === 'string' ? page['nextCursor'] : undefined;
      if (cursor === undefined) return { items, ttlMs, complete: true, interrupted: false, diagnostics: [] };
      if (seen.has(cursor)) return cut(`it goes in circles: its cursor ${JSON.stringify(cursor.slice(0, 100))} came twice`);
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
