import { messageOf, type SkillToolRole } from '@repertoire/skills-core/internal';
import { dispatchCustomEvent } from '@langchain/core/callbacks/dispatch/web';
import type { RunnableConfig } from '@langchain/core/runnables';
import { SkillError, type SkillErrorCode } from '@repertoire/skills-core';
import type { SkillToolResult } from '@repertoire/skills-core/adapter';

/** Chunks of `streamMode: 'custom'`, and custom events of `streamEvents` named by `type`. */
export type SkillStreamEvent =
  | { readonly type: 'skill_loaded'; readonly skill: string; readonly version: string | null }
  | { readonly type: 'skill_unloaded'; readonly skill: string }
  | { readonly type: 'skill_forked'; readonly skill: string; readonly agent?: string | undefined }
  | { readonly type: 'resource_read'; readonly skill: string; readonly path: string }
  | { readonly type: 'script_run'; readonly skill: string; readonly path: string }
  /** Progress of long work, such as one step of a workflow. Only in `streamMode: 'custom'`. */
  | { readonly type: 'skill_progress'; readonly tool: string; readonly line: string }
  | {
      readonly type: 'skill_denied' | 'skill_failed';
      readonly tool: string;
      readonly code: SkillErrorCode;
      readonly message: string;
      readonly skill?: string | undefined;
    };

/** The events for listeners of a finished skill tool call. */
export function skillStreamEvents(tool: string, role: SkillToolRole, input: unknown, result: SkillToolResult): SkillStreamEvent[] {
  const { error, events, fork } = result;
  if (error !== undefined) {
    const { code, message, skill } = error;
    return [
      { type: code === 'permission-denied' ? 'skill_denied' : 'skill_failed', tool, code, message, ...(skill !== undefined && { skill }) },
    ];
  }
  if (fork !== undefined) return [{ type: 'skill_forked', skill: fork.skill, ...(fork.agent !== undefined && { agent: fork.agent }) }];
  if (role === 'readFile' || role === 'loadResource' || role === 'loadAsset') {
    const skill = textOf(input, 'skill', 'skill_id', 'skill_name', 'name', 'id');
    return [{ type: 'resource_read', skill, path: textOf(input, 'path', 'resource_path', 'asset_path') }];
  }
  if (role === 'runScript') {
    const skill = textOf(input, 'skill', 'skill_id', 'skill_name', 'name');
    return [{ type: 'script_run', skill, path: textOf(input, 'script', 'path', 'script_path') }];
  }
  return events.flatMap((event): SkillStreamEvent[] => {
    if (event.type === 'loaded') return [{ type: 'skill_loaded', skill: event.name, version: event.version ?? null }];
    return event.type === 'unloaded' ? [{ type: 'skill_unloaded', skill: event.name }] : [];
  });
}

/** The first argument that is present, ours first. */
function textOf(input: unknown, ...names: readonly string[]): string {
  const fields = input as Readonly<Record<string, unknown>>;
  return names.map((name) => fields[name]).find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? '';
}

/** The event of a loaded skill whose tools could not be opened. */
export function failedEvent(tool: string, skill: string, error: unknown): SkillStreamEvent {
  const code = SkillError.isInstance(error) ? error.code : 'source-unavailable';
  return { type: 'skill_failed', tool, skill, code, message: messageOf(error) };
}

/** Notifies both kinds of listeners. */
export async function streamSkillEvents(
  events: readonly SkillStreamEvent[],
  config: RunnableConfig & { readonly writer?: ((chunk: unknown) => void) | null | undefined },
): Promise<void> {
  for (const event of events) {
    config.writer?.(event);
    await dispatchCustomEvent(event.type, event, config);
  }
}
