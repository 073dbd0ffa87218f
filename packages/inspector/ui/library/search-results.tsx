import type { VNode } from 'preact';
import type { SearchHit } from '../../src/library/search-library.ts';
import { search } from '../state/api.ts';
import { count } from '../state/format.ts';
import { linkTo } from '../state/route.ts';
import { Wait } from '../shared/states.tsx';
import { shown } from '../text/shown.tsx';

/** What search finds for a request, and why each skill has its rank. */
export function SearchResults({ query }: { readonly query: string }): VNode {
  if (query.trim() === '')
    return (
      <p class="calm-line padded">
        Write a request as a user would: “the report is slow since Monday”. You see which words found which skill.
      </p>
    );
  return (
    <Wait of={search(query)}>
      {(hits) =>
        hits.length === 0 ? (
          <p class="calm-line padded">
            No word of this request is in any skill, so an agent finds nothing either. Use words of the descriptions, or{' '}
            <a href={linkTo(['library'])}>see all skills</a>.
          </p>
        ) : (
          <ol class="hits" data-list aria-label={`${count(hits.length, 'skill')} found`}>
            {hits.map((hit, index) => (
              <Hit key={hit.name} hit={hit} rank={index + 1} best={hits[0]?.score ?? 1} query={query} />
            ))}
          </ol>
        )
      }
    </Wait>
  );
}

function Hit({
  hit,
  rank,
  best,
  query,
}: {
  readonly hit: SearchHit;
  readonly rank: number;
  readonly best: number;
  readonly query: string;
}): VNode {
  const terms = hit.explanation?.terms.slice(0, 8) ?? [];
  const coverage = hit.explanation?.coverage ?? 1;
  return (
    <li>
      <a class="hit" data-item href={linkTo(['library', hit.name], { q: query, why: '1' })}>
        <span class="rank">{rank}</span>
        <bdi class="name">{shown(hit.name)}</bdi>
        <span class="score">{hit.score.toFixed(2)}</span>
        <span class="score-bar" aria-hidden="true">
          <span style={{ width: `${(100 * hit.score) / Math.max(best, Number.EPSILON)}%` }} />
        </span>
        <span class="terms">
          {terms.map(({ text, score, fields }) => (
            <span
              key={text}
              class="term"
              title={Object.entries(fields)
                .map(([field, value]) => `${field} ${value.toFixed(2)}`)
                .join(', ')}
            >
              <b>{shown(text)}</b> {Object.keys(fields).join(', ')} <i>{score.toFixed(2)}</i>
            </span>
          ))}
          {coverage < 0.995 ? <span class="term dim">× {coverage.toFixed(2)} for words that are missing</span> : null}
        </span>
      </a>
    </li>
  );
}
