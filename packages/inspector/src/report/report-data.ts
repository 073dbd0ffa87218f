import type { FileText, LibraryView, SkillView } from '../library/views.ts';
import type { LikenessMap } from '../library/likeness-map.ts';
import type { PromptSettings } from '../prompt/prompt-settings.ts';
import type { PromptView } from '../prompt/prompt-view.ts';
import type { PackedReplay } from '../replay/pack-replay.ts';
import type { RecordingRow } from '../server/recording-shelf.ts';
import type { Timeline } from '../timeline/timeline.ts';

/** Texts of files, by skill and path. */
export type ReportFiles = Readonly<Record<string, Readonly<Record<string, FileText>>>>;

/** What a report holds. The page reads it where it finds no server. */
export interface ReportData {
  readonly defaults: PromptSettings;
  readonly library: LibraryView;
  readonly skills: Readonly<Record<string, SkillView>>;
  readonly files: ReportFiles;
  readonly likeness: LikenessMap;
  /** By framework; those that are not installed are missing. */
  readonly prompts: Readonly<Partial<Record<PromptSettings['framework'], PromptView>>>;
  readonly recordings: readonly RecordingRow[];
  readonly timelines: Readonly<Record<string, Timeline>>;
  readonly replays: Readonly<Record<string, PackedReplay>>;
}
