import { objectOf, textOf, type Json } from '../json-shape.ts';
import type { RecordedDisclosure, RecordedTurn } from '../recording.ts';

const kinds: Readonly<Record<string, RecordedDisclosure['kind']>> = {
  skill_loaded: 'load',
  skill_forked: 'load',
  skill_already_active: 'load',
  skill_restored: 'restored',
  skill_unloaded: 'unload',
  resource_read: 'read',
  script_run: 'script',
  workflow_run: 'script',
  skills_searched: 'search',
};
const others = new Set(['catalog_built', 'skill_denied', 'skill_failed']);

/** Whether this is an event that a skillset tells `onEvent`. */
export function isActivity({ type }: Json): boolean {
  return typeof type === 'string' && (Object.hasOwn(kinds, type) || others.has(type));
}

/** Events of a skillset, oldest first. They hold no texts. */
export function readEvents(values: readonly unknown[]): RecordedTurn[] {
  return values.map(objectOf).flatMap((event, index): RecordedTurn[] => {
    const type = textOf(event['type']);
    const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    const at = textOf(event['at'] ?? event['time'] ?? event['timestamp']);
    const when = at === '' ? {} : { at };
    const id = `event-${index}`;
    if (type === 'skill_failed' || type === 'skill_denied') {
      const tool = textOf(event['tool']) || textOf(event['action']);
      const output = textOf(event['message']) || textOf(event['reason']);
      return [{ role: 'tool', results: [{ id, tool, output, isFailed: true }], ...when }];
    }
    if (kind === undefined) return [];
    const skill = textOf(event['skill']) || candidates(event);
    const disclosure: RecordedDisclosure = {
      kind,
      skill,
      ...(typeof event['path'] === 'string' && { path: event['path'] }),
      ...(isActor(event['by']) && { by: event['by'] }),
      tokens: tokensOf(event, type),
      ...(typeof event['digest'] === 'string' && { digest: event['digest'] }),
    };
    return [{ role: 'tool', results: [{ id, tool: type, output: '', disclosure }], ...when }];
  });
}

function isActor(value: unknown): value is 'model' | 'user' | 'host' {
  return value === 'model' || value === 'user' || value === 'host';
}

/** Events about files have bytes: about four of them are a token. */
function tokensOf({ tokens, bytes }: Json, type: string): number {
  if (typeof tokens === 'number') return tokens;
  return type === 'resource_read' && typeof bytes === 'number' ? Math.ceil(bytes / 4) : 0;
}

function candidates({ candidates: names }: Json): string {
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string').join(', ') : '';
}
