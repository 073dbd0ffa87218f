import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly row: (item: Item) => VNode;
  /** The same for each row; the style sheet must agree. */
  readonly rowPixels: number;
  readonly class: string;
  readonly label: string;
  /** Index of the row that is to be seen. */
  readonly at?: number | undefined;
}

/** Rows that are drawn above and below what is seen: keys and the wheel then never meet an empty place. */
const spare = 8;

/** A list of any length that draws what is on the screen. The focused row stays drawn, with its neighbours. */
export function VirtualList<Item>({ items, keyOf, row, rowPixels, label, at, ...props }: VirtualListProps<Item>): VNode {
  const list = useRef<HTMLUListElement>(null);
  const [range, setRange] = useState({ from: 0, to: 20 });
  const [focused, setFocused] = useState<string | null>(null);

  useLayoutEffect(() => {
    const measure = (): void => {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      const from = Math.max(0, Math.floor(-top / rowPixels) - spare);
      const to = from + Math.ceil(innerHeight / rowPixels) + 2 * spare;
      setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    measure();
    // Scrolling does not bubble, so it is listened to on the way down.
    addEventListener('scroll', measure, { capture: true, passive: true });
    addEventListener('resize', measure);
    return () => {
      removeEventListener('scroll', measure, { capture: true });
      removeEventListener('resize', measure);
    };
  }, [rowPixels, items]);

  // A link can lead to a row far below.
  useLayoutEffect(() => {
    if (at === undefined || at < 0 || list.current === null) return;
    const scroller = scrollerOf(list.current);
    const top = list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + at * rowPixels;
    if (top < 0 || top + rowPixels > scroller.clientHeight)
      scroller.scrollBy({ top: top - scroller.clientHeight / 3, behavior: 'instant' });
  }, [at, rowPixels]);

  const drawn = new Set(indexesBetween(range.from, range.to));
  const kept = focused === null ? -1 : items.findIndex((item) => keyOf(item) === focused);
  // With its neighbours, since keys can be faster than frames, and what is seen is measured once a frame.
  if (kept !== -1) for (const index of indexesBetween(kept - spare, kept + spare + 1)) drawn.add(index);
  return (
    <ul
      ref={list}
      data-list
      class={`virtual ${props.class}`}
      aria-label={label}
      style={{ height: `${items.length * rowPixels}px` }}
      onFocusIn={(event) => setFocused((event.target as Element).closest('li')?.dataset['key'] ?? null)}
      onFocusOut={() => setFocused(null)}
    >
      {[...drawn]
        .sort((a, b) => a - b)
        .map((index) => {
          const item = items[index];
          if (item === undefined) return null;
          const key = keyOf(item);
          return (
            <li
              key={key}
              data-key={key}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${index * rowPixels}px)`, height: `${rowPixels}px` }}
            >
              {row(item)}
            </li>
          );
        })}
    </ul>
  );
}

function indexesBetween(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** A pane, or on a phone the page. */
function scrollerOf(element: Element): Element {
  for (let each = element.parentElement; each !== null; each = each.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight) return each;
  }
  return document.documentElement;
}
