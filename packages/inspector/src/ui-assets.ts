import { readFile } from 'node:fs/promises';
import type { UiAssets } from './server/ui-assets-shape.ts';

/** The built page. Run from its sources, the package builds it on the spot. */
export async function uiAssets(): Promise<UiAssets> {
  const read = async (name: string): Promise<string> => await readFile(new URL(`./ui/${name}`, import.meta.url), 'utf8');
  const [html, script, style] = await Promise.all([read('index.html'), read('app.js'), read('app.css')]);
  return { html, script, style };
}
