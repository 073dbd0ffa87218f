import { messageOf } from '@repertoire/skills-core/internal';
import { SkillError } from '@repertoire/skills-core';
import { abortable } from '@repertoire/skills-core/provider';
import type { McpConnection } from '../connection/mcp-connection.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';

/** A request of the provider, with a timeout. Failures are `SkillError`s. */
export type McpCall = (method: string, params: Readonly<Record<string, unknown>>, signal?: AbortSignal) => Promise<unknown>;

/** Codes for something that does not exist, by the extension and by earlier revisions. */
const notThere: ReadonlySet<unknown> = new Set([-32602, -32002]);

/** Sends requests over one connection. */
export function mcpCall(connection: McpConnection, settings: McpSkillSettings): McpCall {
  return async (method, params, signal) => {
    const patience = new AbortController();
    const late = tooLate(method, settings);
    const stopTimer = settings.setTimer(() => patience.abort(late), settings.timeoutMs);
    const either = signal === undefined ? patience.signal : AbortSignal.any([signal, patience.signal]);
    try {
      return await abortable(() => connection.request(method, params, { signal: either }), either);
    } catch (cause) {
      signal?.throwIfAborted();
      throw patience.signal.aborted ? late : unavailable(settings.label, `${method} failed: ${startOfMessage(cause)}`, cause);
    } finally {
      stopTimer();
    }
  };
}

/** Whether a request failed because the server does not have what was asked for. */
export function isNotThere(error: unknown): boolean {
  return (
    SkillError.isInstance(error) &&
    error.code === 'source-unavailable' &&
    notThere.has((error.cause as { code?: unknown } | undefined)?.code)
  );
}

/** The error for a source that cannot answer at all. */
export function unavailable(label: string, why: string, cause?: unknown): SkillError {
  return new SkillError(
    'source-unavailable',
    `[skill-mcp] Source "${label}" cannot answer: ${why}. Check the server and the connection of its client, and try again.`,
    {
      source: label,
      cause,
    },
  );
}

function tooLate(method: string, { label, timeoutMs }: McpSkillSettings): SkillError {
  return new SkillError(
    'timeout',
    `[skill-mcp] Source "${label}" did not answer ${method} within ${timeoutMs} ms. Try again, or raise timeoutMs.`,
    { source: label },
  );
}

/** The start of the message of an error, which a server may have written. */
export function startOfMessage(cause: unknown): string {
  return messageOf(cause).slice(0, 500);
}
