import type { VNode } from 'preact';
import type { TimelineItem } from '../../src/timeline/timeline.ts';
import { number } from '../state/format.ts';
import { linkTo } from '../state/route.ts';
import { shown } from '../text/shown.tsx';
import { TextBlock } from '../shared/text-block.tsx';
import { kindTitles, whoOf } from './timeline-list.tsx';

const ofSkills = new Set<TimelineItem['kind']>(['load', 'again', 'read', 'unload', 'restored', 'script']);

/** One moment: what was disclosed, what is loaded after it, and which tools are open. */
export function ItemDetail({ item, gated }: { readonly item: TimelineItem; readonly gated: readonly string[] }): VNode {
  const { kind, subject, path, input, text, tokens, total, loaded, open, at, digest } = item;
  return (
    <article class="item">
      <h2>
        {whoOf(item)} {kindTitles[kind]}{' '}
        {subject === '' ? null : ofSkills.has(kind) ? (
          <a href={linkTo(['library', subject])}>{shown(subject)}</a>
        ) : (
          <bdi>{shown(subject)}</bdi>
        )}
        {path === null ? null : <code>{shown(path)}</code>}
      </h2>
      <dl class="fields compact">
        <dt>Cost</dt>
        <dd>
          {number(tokens)} tokens, {number(total)} so far
        </dd>
        {at === null ? null : (
          <>
            <dt>When</dt>
            <dd>{shown(at)}</dd>
          </>
        )}
        <dt>Loaded</dt>
        <dd>
          {loaded.length === 0
            ? 'nothing'
            : loaded.map((name) => (
                <a key={name} class="chip" href={linkTo(['library', name])}>
                  {shown(name)}
                </a>
              ))}
        </dd>
        {gated.length === 0 ? null : (
          <>
            <dt>Tools</dt>
            <dd>
              {gated.map((tool) => (
                <span key={tool} class={open.includes(tool) ? 'chip open' : 'chip closed'}>
                  {shown(tool)} {open.includes(tool) ? 'open' : 'closed'}
                </span>
              ))}
            </dd>
          </>
        )}
        {digest === null ? null : (
          <>
            <dt>SHA-256</dt>
            <dd>
              <code>{digest}</code>
            </dd>
          </>
        )}
      </dl>
      {input === null ? null : <TextBlock text={input} label="What it was called with" />}
      {text === '' ? (
        <p class="calm-line">The text was not recorded{digest === null ? '' : '; its digest was'}.</p>
      ) : (
        <TextBlock text={text} label={kind === 'user' || kind === 'answer' ? 'Said' : 'What the model read'} />
      )}
    </article>
  );
}
