import { effect, signal, type Signal } from '@preact/signals';
import { addressNow, goTo, linkTo, route } from './route.ts';

/** How long nobody types until the address says what was typed. Everything that reads the address is drawn anew then. */
const pauseMs = 250;

/** What stands in the search box. The address follows when nobody types any more. */
export const typed: Signal<string> = signal('');

let pending: ReturnType<typeof setTimeout> | undefined;

/** Takes what somebody typed. The list shows it at once, and the address after a pause. */
export function typeFilter(text: string): void {
  typed.value = text;
  clearTimeout(pending);
  pending = setTimeout(writeFilter, pauseMs);
}

/** Writes what was typed into the address, if that did not happen yet. */
export function writeFilter(): void {
  if (pending === undefined) return;
  clearTimeout(pending);
  pending = undefined;
  const { parts, query } = addressNow();
  if (parts[0] === 'library') goTo(linkTo(parts, { ...query, q: typed.value }), { replace: true });
}

// A link, or the way back, says something else than what was typed last.
effect(() => {
  const { q = '' } = route.value.query;
  if (pending === undefined) typed.value = q;
});
