import type { ReportData } from '../../src/report/report-data.ts';

/** What this page holds, where it is a report; `null` where a server answers. A report is packed, because it holds every skill. */
export async function readReport(): Promise<ReportData | null> {
  const packed = document.getElementById('report')?.textContent ?? null;
  if (packed === null) return null;
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).json()) as ReportData;
}
