import type { UiAssets } from '../src/server/ui-assets-shape.ts';
import { buildUi } from './build-ui.ts';

let built: Promise<UiAssets> | undefined;

/** The page, bundled from its sources, once a process: what tests and other programs of this repository get instead of the built one. */
export async function uiAssets(): Promise<UiAssets> {
  built ??= buildUi();
  return await built;
}
