import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';

/** Where the reader is. It stands in the fragment of the address, so that every view can be linked to, also in a file. */
export interface Route {
  /** The parts of the path, decoded: `['library', 'sql-tuning']`. */
  readonly parts: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

const hash: Signal<string> = signal(location.hash);
window.addEventListener('hashchange', () => (hash.value = location.hash));

export const route: ReadonlySignal<Route> = computed(() => parse(hash.value));

/** Where the address leads. A link that was just followed changes it before `route`. */
export const addressNow = (): Route => parse(location.hash);

/** The address of a view. Empty values are left out. */
export function linkTo(parts: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  const search = new URLSearchParams(given).toString();
  // Half of a character, which no address can hold, is written as the sign for one that is missing.
  return `#/${parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/')}${search === '' ? '' : `?${search}`}`;
}

/** Goes to a view. `replace` leaves no step for the back button: for what changes while somebody types. */
export function goTo(link: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (link === location.hash) return;
  if (replace) history.replaceState(null, '', link);
  else history.pushState(null, '', link);
  hash.value = link;
}

function parse(text: string): Route {
  const [path = '', search = ''] = text.replace(/^#\/?/, '').split('?', 2);
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decode);
  return { parts: parts.length === 0 ? ['library'] : parts, query: Object.fromEntries(new URLSearchParams(search)) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
