import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { TimelineItem, TimelineKind } from '../../src/timeline/timeline.ts';
import { clock, short } from '../state/format.ts';
import { shown } from '../text/shown.tsx';

/** What each kind of thing is called. */
export const kindTitles: Readonly<Record<TimelineKind, string>> = {
  user: 'said',
  answer: 'answered',
  load: 'loaded',
  again: 'asked again for',
  read: 'read',
  unload: 'ended',
  search: 'searched',
  script: 'ran',
  restored: 'was given again',
  tool: 'called',
  refused: 'was refused',
};

interface ListProps {
  readonly items: readonly TimelineItem[];
  readonly at: number;
  readonly link: (index: number) => string;
}

/** Everything that happened, in order. */
export function TimelineList({ items, at, link }: ListProps): VNode {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [at]);
  return (
    <ol class="timeline" ref={list} data-list>
      {items.map((item, index) => (
        <li key={index} class={`moment-row ${item.kind}`}>
          <a data-item href={link(index)} aria-current={index === at ? 'true' : undefined}>
            <span class="moment-dot" aria-hidden="true" />
            <span class="moment-title">
              <span class="who">{whoOf(item)}</span> {kindTitles[item.kind]} {item.subject === '' ? null : <b>{shown(item.subject)}</b>}
              {item.path === null ? null : <span class="path">{shown(item.path)}</span>}
            </span>
            <span class="moment-tokens">{item.tokens === 0 ? '' : `+${short(item.tokens)}`}</span>
            <span class="moment-text">{item.kind === 'user' || item.kind === 'answer' ? shown(item.text.slice(0, 140)) : ''}</span>
            {item.at === null ? null : <time dateTime={item.at}>{clock(item.at)}</time>}
          </a>
        </li>
      ))}
    </ol>
  );
}

/** Who did it. */
export function whoOf({ by }: Pick<TimelineItem, 'by'>): string {
  return by === 'user' ? 'Person' : by === 'host' ? 'Host' : 'Model';
}
