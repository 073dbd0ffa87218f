import { createHash } from 'node:crypto';
import { readRecording } from '../recording/read-recording.ts';
import type { Recording, RecordingFormat } from '../recording/recording.ts';

/** A recorded conversation, as a file. */
export interface RecordingFile {
  /** What the page calls it. */
  readonly title: string;
  /** See `readRecording` for what can be read. */
  readonly text: string;
}

/** A recording in the list. */
export interface RecordingRow {
  /** Made of its text, so that a link to it holds for as long as the file stays the same. */
  readonly id: string;
  readonly title: string;
  readonly format: RecordingFormat;
  readonly turns: number;
  readonly hasTexts: boolean;
  /** The system prompt that was recorded with it. */
  readonly instructions: string | null;
  /** Lines that could not be read, and were left out. */
  readonly unreadLines: number;
}

/** The recordings of one server. */
export interface RecordingShelf {
  list(): readonly RecordingRow[];
  get(id: string): Recording | undefined;
  /** @throws {SkillError} `invalid-options` for a text that is no recording */
  add(title: string, text: string): RecordingRow;
}

const most = 50;

/** @throws {SkillError} `invalid-options` for a file that is no recording */
export function recordingShelf(files: readonly RecordingFile[] = []): RecordingShelf {
  const rows = new Map<string, { readonly row: RecordingRow; readonly recording: Recording }>();
  const shelf: RecordingShelf = {
    list: () => [...rows.values()].map(({ row }) => row),
    get: (id) => rows.get(id)?.recording,
    add(title, text) {
      const recording = readRecording(text);
      const id = createHash('sha256').update(text).digest('hex').slice(0, 12);
      const { format, turns, hasTexts, instructions = null, unreadLines = 0 } = recording;
      const row = { id, title: title.slice(0, 200), format, turns: turns.length, hasTexts, instructions, unreadLines };
      rows.set(id, { row, recording });
      const [oldest] = rows.keys();
      if (rows.size > most && oldest !== undefined) rows.delete(oldest);
      return row;
    },
  };
  for (const { title, text } of files) shelf.add(title, text);
  return shelf;
}
