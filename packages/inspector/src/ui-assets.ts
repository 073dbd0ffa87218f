import { readFile } from 'node:fs/promises';
import type { UiAssets } from './server/ui-assets-shape.ts';

/**
 * The page that was built into the package. Run from its sources, the package makes it on the spot:
 * see `imports` of the manifest.
 */
export async function uiAssets(): Promise<UiAssets> {
  const read = async (name: string): Promise<string> => await readFile(new URL(`./ui/${name}`, import.meta.url), 'utf8');
  const [html, script, style] = await Promise.all([read('index.html'), read('app.js'), read('app.css')]);
  return { html, script, style };
}
