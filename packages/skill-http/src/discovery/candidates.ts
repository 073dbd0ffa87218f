import { cardFile, discoveryFolder, indexFile, legacyFolder } from './discovery-format.ts';

/** How a place publishes. */
export type HttpLayout = 'auto' | 'well-known' | 'card';

/**
 * Where an index may be, best first, always below the given path. A URL that ends with `.json` is
 * the index or card itself.
 */
export function indexCandidates(url: string, layout: HttpLayout): readonly string[] {
  const place = new URL(url);
  if (place.pathname.endsWith('.json')) return [place.href];
  if (!place.pathname.endsWith('/')) place.pathname += '/';
  // A query, such as a token, belongs to the place and would be wrong for the files below it.
  place.search = '';
  const below = (path: string) => new URL(path, place).href;
  const wellKnown = [below(`${discoveryFolder}/${indexFile}`), below(`${legacyFolder}/${indexFile}`)];
  const card = [below(cardFile)];
  return layout === 'well-known' ? wellKnown : layout === 'card' ? card : [...wellKnown, ...card];
}
