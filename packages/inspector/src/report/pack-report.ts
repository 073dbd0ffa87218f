import { gzipSync } from 'node:zlib';
import type { FileText } from '../library/views.ts';
import type { ReportData } from './report-data.ts';

/** The most characters of a packed report, so that the file can still be sent by mail. */
const maxPackedCharacters = 9_400_000;
/** The longest texts of files that are kept, in the order in which they are tried. */
const longestTexts = [40_000, 15_000, 5_000, 1_500, -1] as const;

/**
 * A report as text that an HTML file can hold: gzip, in base64. Where it would be too large to
 * send, texts of files are left out, the longest first, and then the authors' copies of
 * instructions. The page says of each file that it is missing.
 */
export function packReport(data: ReportData, limit: number = maxPackedCharacters): string {
  let packed = pack(data);
  for (const longest of longestTexts) if (packed.length > limit) packed = pack({ ...data, files: shortFiles(data.files, longest) });
  if (packed.length > limit) packed = pack({ ...data, files: {}, skills: mapValues(data.skills, (skill) => ({ ...skill, skillMd: '' })) });
  return packed;
}

function pack(data: ReportData): string {
  return gzipSync(JSON.stringify(data)).toString('base64');
}

function shortFiles(files: ReportData['files'], longest: number): ReportData['files'] {
  const isShort = ([, { text }]: readonly [string, FileText]): boolean => (text?.length ?? 0) <= longest;
  return mapValues(files, (own) => Object.fromEntries(Object.entries(own).filter(isShort)));
}

function mapValues<Value>(of: Readonly<Record<string, Value>>, change: (value: Value) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]));
}
