import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { uiAssets } from '#ui-assets';
import { settingChoices, type PromptSettings } from '../prompt/prompt-settings.ts';
import type { PromptView } from '../prompt/prompt-view.ts';
import type { PackedReplay } from '../replay/pack-replay.ts';
import { inspectorData, type InspectorData } from '../server/inspector-data.ts';
import { frameworkOf } from '../recording/framework-of.ts';
import { recordingShelf, type RecordingRow } from '../server/recording-shelf.ts';
import { sharedOptions, type InspectorOptions } from '../server/start-inspector.ts';
import type { FileText, SkillView } from '../library/views.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { packReport } from './pack-report.ts';
import type { ReportData } from './report-data.ts';
import { withoutLocalPaths } from './without-local-paths.ts';

/** A report asks nobody for anything, whatever a skill says. */
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:" />`;

/** Characters of files that are read for a report; packing may keep fewer. */
const maxFileCharacters = 24_000_000;

/** Options of {@link inspectorReport}. A report has no approvals and no proposals. */
export interface InspectorReportOptions extends Omit<InspectorOptions, 'port' | 'approvals' | 'proposals'> {
  readonly signal?: AbortSignal | undefined;
  /** Is told how many of the skills were read, first without their files, then with them. */
  readonly onProgress?: ((read: number, total: number) => void) | undefined;
}

const knownOptions: OptionRules<InspectorReportOptions> = { ...sharedOptions, signal: '{}', onProgress: '()' };

/**
 * The inspector as one file: everything that it shows, without a server, a network or another file.
 * What is asked anew (search, settings, what-ifs) needs the inspector itself. Paths of this machine
 * are shortened.
 *
 * @throws {SkillError} what the provider rejects with; `invalid-options` for a setting or a
 *   recording that cannot be used
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { inspectorReport } from '@repertoire/inspector';
 * import { fileSystemSkillProvider } from '@repertoire/skill-fs';
 *
 * await using provider = fileSystemSkillProvider({ roots: ['./skills'] });
 * await writeFile('report.html', await inspectorReport({ provider }));
 * ```
 */
export async function inspectorReport(options: InspectorReportOptions): Promise<string> {
  assertKnownOptions('inspectorReport', options, knownOptions);
  const { onProgress, signal = new AbortController().signal } = options;
  const shelf = recordingShelf(options.recordings);
  const data = inspectorData({ ...options, signal });
  const { defaults } = data;
  const { html, script, style } = await uiAssets();
  const report = await reportData(data, onProgress, shelf.list(), async (id, what) => {
    const recording = shelf.get(id);
    if (recording === undefined || (what === 'replay' && !recording.hasTexts)) return undefined;
    if (what === 'timeline') return await data.timeline(recording, defaults);
    const settings = { ...defaults, instructions: recording.instructions ?? defaults.instructions };
    // What its framework would have sent, or the session alone where it is not installed.
    return await data
      .replay(recording, { ...settings, framework: frameworkOf(recording.format, defaults.framework) })
      .catch(() => data.replay(recording, { ...settings, framework: 'core' }));
  });
  return html
    .replace('<meta charset="utf-8" />', () => `<meta charset="utf-8" />\n    ${policy}`)
    .replace('<link rel="stylesheet" href="app.css" />', () => `<style>${style}</style>`)
    .replace(
      '<script type="module" src="app.js"></script>',
      () =>
        `<script type="application/gzip" id="report">${packReport(report)}</script>\n<script type="module">${script.replaceAll('</script', '<\\/script')}</script>`,
    );
}

async function reportData(
  data: InspectorData,
  onProgress: InspectorReportOptions['onProgress'],
  recordings: readonly RecordingRow[],
  of: (id: string, what: 'timeline' | 'replay') => Promise<Timeline | PackedReplay | undefined>,
): Promise<ReportData> {
  const { defaults } = data;
  const library = await data.library(defaults);
  const skills: Record<string, SkillView> = Object.create(null) as Record<string, SkillView>;
  const files: Record<string, Record<string, FileText>> = Object.create(null) as typeof files;
  let left = maxFileCharacters;
  for (const [index, { name }] of library.skills.entries()) {
    onProgress?.(index, library.skills.length);
    const skill = await data.skill(name);
    if (skill === null) continue;
    skills[name] = skill;
    const own: Record<string, FileText> = Object.create(null) as Record<string, FileText>;
    files[name] = own;
    for (const { path } of skill.files) {
      const file = left > 0 ? await data.file(name, path) : null;
      if (file === null) continue;
      own[path] = file;
      left -= file.text?.length ?? 0;
    }
  }
  const prompts: Partial<Record<PromptSettings['framework'], PromptView>> = {};
  for (const framework of settingChoices.framework) {
    const prompt = await data.prompt({ ...defaults, framework }).catch(() => undefined);
    if (prompt !== undefined) prompts[framework] = prompt;
  }
  const timelines: Record<string, Timeline> = {};
  const replays: Record<string, PackedReplay> = {};
  for (const { id } of recordings) {
    timelines[id] = (await of(id, 'timeline')) as Timeline;
    const replay = await of(id, 'replay');
    if (replay !== undefined) replays[id] = replay as PackedReplay;
  }
  const report = { defaults, library, skills, files, likeness: await data.likeness(), prompts, recordings, timelines, replays };
  return withoutLocalPaths(report, Object.values(skills));
}
