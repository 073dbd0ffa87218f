import { gunzipSync } from 'node:zlib';
import type { ReportData } from '../../src/report/report-data.ts';

/** What a report holds, as the page reads it. */
export function readReport(html: string): ReportData {
  const packed = /<script type="application\/gzip" id="report">([\w+/=]+)<\/script>/.exec(html)?.[1] ?? '';
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()) as ReportData;
}
