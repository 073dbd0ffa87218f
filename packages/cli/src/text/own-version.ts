import { readFileSync } from 'node:fs';

/** From the manifest beside `src` and `dist`, which is the one of the release. */
export function ownVersion(): string {
  // From `src/text` it is one folder further than from what is built.
  for (const above of ['../package.json', '../../package.json']) {
    try {
      const manifest = JSON.parse(readFileSync(new URL(above, import.meta.url), 'utf8')) as {
        readonly name?: string;
        readonly version: string;
      };
      if (manifest.name === '@repertoire/cli') return manifest.version;
    } catch {
      // There is none here.
    }
  }
  return '0.0.0';
}
