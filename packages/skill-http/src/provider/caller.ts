import { messageOf } from '@repertoire/skills-core/internal';
import { SkillError } from '@repertoire/skills-core';
import type { HttpSkillSettings } from './http-skill-provider-options.ts';

/** Whom an answer is for. */
export interface Caller {
  /** Tells audiences apart. What one audience was answered is never given to another. */
  readonly key: string;
  /**
   * Headers of this call. @throws {SkillError} `source-unavailable` if the host's function failed
   */
  readonly headers: () => Headers;
}

/**
 * Asks the host for audience and headers at the same moment, at the start of a call, so that both
 * belong to one tenant.
 *
 * @throws {SkillError} `source-unavailable` if the host's functions fail
 */
export async function callerOf({ label, audience, headers }: Pick<HttpSkillSettings, 'label' | 'audience' | 'headers'>): Promise<Caller> {
  const [who, sent] = await Promise.allSettled([valueOf(audience), valueOf(headers).then((record) => new Headers(record))]);
  if (who.status === 'rejected') throw failed(label, 'audience', who.reason);
  const headersOf = (): Headers => {
    if (sent.status === 'rejected') throw failed(label, 'headers', sent.reason);
    return new Headers(sent.value);
  };
  if (audience !== undefined) {
    if (typeof who.value !== 'string') throw failed(label, 'audience', new TypeError(`It gave ${String(who.value)}, which is no text.`));
    return { key: JSON.stringify(['audience', who.value]), headers: headersOf };
  }
  if (sent.status === 'rejected') throw failed(label, 'headers', sent.reason);
  // Other headers may belong to another tenant.
  return { key: JSON.stringify(['headers', [...sent.value].sort()]), headers: headersOf };
}

/** It calls the function synchronously, so that both functions run before anything else does. */
async function valueOf<Value>(source: Value | (() => Value | Promise<Value>)): Promise<Value> {
  return await (typeof source === 'function' ? (source as () => Value | Promise<Value>)() : source);
}

function failed(source: string, option: string, cause: unknown): SkillError {
  const detail = messageOf(cause);
  return new SkillError(
    'source-unavailable',
    `[skill-http] The option "${option}" of "${source}" failed, so that nothing is asked for in nobody's name: ${detail}`,
    { source, cause },
  );
}
