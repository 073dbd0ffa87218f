import { goTo, linkTo } from '../state/route.ts';
import { helpIsOpen } from './help-open.ts';

const places: Readonly<Record<string, string>> = { l: 'library', m: 'map', p: 'prompt', t: 'time', a: 'approvals', r: 'proposals' };

/** Shortcuts that hold everywhere. Pages have more of them, on the elements that they are about. */
export function listenToKeys(): () => void {
  let isGoing = false;
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target)) {
      if (leaveSearch(event.key, event.target)) event.preventDefault();
      return;
    }
    const place = isGoing ? places[event.key] : undefined;
    isGoing = event.key === 'g';
    if (place !== undefined) goTo(linkTo([place]));
    else if (event.key === '?') helpIsOpen.value = true;
    else if (event.key === '/') document.querySelector<HTMLElement>('[data-key="/"]')?.focus();
    else if (event.key === 'j' || event.key === 'k') moveInList(event.key === 'j' ? 1 : -1);
    else if (isInList() && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) moveInList(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === '[' || event.key === ']') follow(event.key);
    else return;
    event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}

/** Goes where a link leads, at once: the next key finds the link of the next step. */
function follow(key: string): void {
  const link = document.querySelector(`[data-key="${key}"]`)?.getAttribute('href');
  if (typeof link === 'string') goTo(link, { replace: true });
}

/**
 * From the search field into what it found: arrows go there, Enter opens the first, Escape leaves.
 */
function leaveSearch(key: string, field: EventTarget | null): boolean {
  if (!(field instanceof HTMLElement) || !field.matches('[data-key="/"]')) return false;
  if (key === 'ArrowDown') moveInList(0);
  else if (key === 'Enter') document.querySelector<HTMLElement>(itemOfList)?.click();
  else if (key === 'Escape') field.blur();
  else return false;
  return true;
}

const itemOfList = '[data-list] [data-item]';

function isInList(): boolean {
  return document.activeElement?.matches(itemOfList) === true;
}

function moveInList(step: number): void {
  const items = [...document.querySelectorAll<HTMLElement>(itemOfList)];
  const at = items.findIndex((item) => item === document.activeElement);
  const current = items.findIndex((item) => item.getAttribute('aria-current') === 'true');
  const next = items[Math.min(items.length - 1, Math.max(0, (at === -1 ? current : at) + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches('input:not([type=range], [type=file]), textarea') || target.isContentEditable);
}
