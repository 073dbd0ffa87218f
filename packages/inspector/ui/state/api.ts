import { signal, type Signal } from '@preact/signals';
import type { FileText, LibraryView, SkillView } from '../../src/library/views.ts';
import type { LikenessMap } from '../../src/library/likeness-map.ts';
import type { SearchHit } from '../../src/library/search-library.ts';
import type { PromptSettings } from '../../src/prompt/prompt-settings.ts';
import type { PromptView } from '../../src/prompt/prompt-view.ts';
import type { PackedReplay } from '../../src/replay/pack-replay.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import type { RecordingRow } from '../../src/server/recording-shelf.ts';
import type { ApprovalsView, ProposalsView, ProposalView } from '../../src/review/views.ts';
import type { Timeline } from '../../src/timeline/timeline.ts';
import { readReport } from './read-report.ts';

/** Something that comes from the server, or from the report that this page is. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: string | undefined;
  /** Asks once more, where that can help. */
  readonly retry?: (() => void) | undefined;
}

interface Entry {
  readonly signal: Signal<Loaded<unknown>>;
  load(): void;
}

const report: ReportData | null = await readReport();

interface Start {
  readonly defaults: PromptSettings;
  readonly recordings: readonly RecordingRow[];
  /** The views that the host has something for. */
  readonly views: readonly string[];
}

/** Whether this page is a file: nothing can be asked anew. */
export const isReport: boolean = report !== null;
/** Whether changes arrive. */
export const isLive: Signal<boolean> = signal(false);
/** Counts the changes, for what says so. */
export const changes: Signal<number> = signal(0);
/** How far the server is with reading the library. */
export const progress: Signal<{ readonly read: number; readonly total: number }> = signal({ read: 0, total: 0 });

const entries = new Map<string, Entry>();

/** What the page starts with. */
export const start = (): Loaded<Start> => ask<Start>('start', {}, ({ defaults, recordings }) => ({ defaults, recordings, views: [] }));
export const library = (settings: Partial<PromptSettings> = {}): Loaded<LibraryView> => ask('library', settings, (data) => data.library);
export const skill = (name: string): Loaded<SkillView> => ask('skill', { name }, (data) => data.skills[name]);
export const file = (name: string, path: string): Loaded<FileText> => ask('file', { name, path }, (data) => data.files[name]?.[path]);
export const search = (q: string): Loaded<readonly SearchHit[]> => ask<readonly SearchHit[]>('search', { q }, () => undefined);
export const likeness = (): Loaded<LikenessMap> => ask('likeness', {}, (data) => data.likeness);
export const prompt = (settings: Partial<PromptSettings>): Loaded<PromptView> =>
  ask('prompt', settings, (data) => data.prompts[settings.framework ?? data.defaults.framework]);
export const timeline = (id: string, settings: Partial<PromptSettings>): Loaded<Timeline> =>
  ask(`recordings/${id}/timeline`, {}, (data) => data.timelines[id], { settings });
export const replay = (
  id: string,
  settings: Partial<PromptSettings>,
  overlay?: { readonly skill: string; readonly skillMd: string },
): Loaded<PackedReplay> =>
  ask(`recordings/${id}/replay`, {}, (data) => (overlay === undefined ? data.replays[id] : undefined), { settings, overlay });

export const approvals = (): Loaded<ApprovalsView> => ask<ApprovalsView>('approvals', {}, () => undefined);
export const proposals = (): Loaded<ProposalsView> => ask<ProposalsView>('proposals', {}, () => undefined);
export const proposal = (id: string): Loaded<ProposalView> => ask<ProposalView>('proposal', { id }, () => undefined);

/** Gives a file to the server, which says what it is. */
export async function addRecording(title: string, text: string): Promise<RecordingRow> {
  const response = await fetch(`api/recordings?${new URLSearchParams({ title }).toString()}`, { method: 'POST', body: text });
  const row = await read<RecordingRow>(response);
  entries.get('start {} undefined')?.load();
  return row;
}

/** Reads everything again that is shown, as soon as the server says that skills changed. */
export function listenToChanges(): void {
  if (isReport) return;
  const source = new EventSource('api/events');
  source.addEventListener('ready', () => (isLive.value = true));
  source.addEventListener('error', () => (isLive.value = false));
  source.addEventListener('progress', ({ data }) => (progress.value = JSON.parse(data as string) as { read: number; total: number }));
  source.addEventListener('changed', () => {
    changes.value += 1;
    for (const { load } of entries.values()) load();
  });
}

const inReport = 'This part needs the inspector itself: run `repertoire inspect`.';
const leftOut = 'This file was left out of the report, which is kept small enough to send. Run `repertoire inspect` to see it.';
const mostEntries = 200;

function ask<Value>(path: string, query: object, ofReport: (data: ReportData) => Value | undefined, body?: object): Loaded<Value> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const key = `${path} ${JSON.stringify(Object.fromEntries(given))} ${JSON.stringify(body)}`;
  let entry = entries.get(key);
  if (entry === undefined) {
    const held: Signal<Loaded<unknown>> = signal({ value: undefined, error: undefined });
    if (report !== null) {
      const value = ofReport(report);
      held.value = { value, error: value !== undefined ? undefined : path === 'file' ? leftOut : inReport };
    }
    const load = (): void => {
      if (report !== null) return;
      const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
      const request =
        body === undefined
          ? fetch(`api/${path}?${parameters.toString()}`)
          : fetch(`api/${path}`, { method: 'POST', body: JSON.stringify(body) });
      request
        .then(read)
        .then((value) => (held.value = { value, error: undefined, retry: load }))
        // What was read before stays: a page that is empty because of a moment without a server helps nobody.
        .catch(
          (error: unknown) =>
            (held.value = { value: held.value.value, error: error instanceof Error ? error.message : String(error), retry: load }),
        );
    };
    entry = { signal: held, load };
    if (entries.size > mostEntries) entries.delete(entries.keys().next().value ?? '');
    entries.set(key, entry);
    load();
  }
  return entry.signal.value as Loaded<Value>;
}

async function read<Value>(response: Response): Promise<Value> {
  const value = (await response.json()) as Value & { readonly error?: { readonly message: string } };
  if (!response.ok) throw new Error(value.error?.message ?? `The server answered ${response.status}.`);
  return value;
}
