import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { LikenessMap, LikenessPair } from '../../src/library/likeness-map.ts';
import { library, likeness } from '../state/api.ts';
import { count } from '../state/format.ts';
import { goTo, linkTo, route } from '../state/route.ts';
import { Empty, Wait } from '../shared/states.tsx';
import { LikenessPlot } from './likeness-plot.tsx';

/** How many pairs are listed. */
const mostPairs = 60;

/** The library as a map of islands: skills that compete for the same requests lie next to each other. */
export function MapPage(): VNode {
  return (
    <Wait of={likeness()}>
      {(map) =>
        map.nodes.length === 0 ? (
          <Empty title="Nothing to compare">Two skills or more make a map. Add some to the folder; this page shows them at once.</Empty>
        ) : (
          <LikenessView map={map} />
        )
      }
    </Wait>
  );
}

function LikenessView({ map }: { readonly map: LikenessMap }): VNode {
  const { query } = route.value;
  const threshold = useSignal(0.3);
  const chosen = query['skill'];
  const close = map.pairs.filter(({ likeness: value }) => value >= threshold.value);
  const listed = (chosen === undefined ? close : map.pairs.filter(({ a, b }) => a === chosen || b === chosen)).slice(0, mostPairs);
  const choose = (skill: string | undefined): void => goTo(linkTo(['map'], { skill }), { replace: true });
  return (
    <div class="map">
      <header class="page-head">
        <h1>Likeness</h1>
        <p class="lede">
          Skills whose descriptions share words. A model may take one for the other: {count(close.length, 'pair')} above{' '}
          {threshold.value.toFixed(2)}.
        </p>
      </header>
      <div class="map-body">
        <LikenessPlot map={map} chosen={chosen} least={threshold.value} onChoose={choose} rows={library().value?.skills ?? []} />
        <aside class="map-side" aria-label="Pairs">
          <label class="field">
            <span>Least likeness</span>
            <input
              type="range"
              min={map.least}
              max="0.9"
              step="0.01"
              value={threshold.value}
              onInput={(event) => (threshold.value = Number(event.currentTarget.value))}
              aria-valuetext={threshold.value.toFixed(2)}
            />
          </label>
          <h2>
            {chosen === undefined ? (
              'Most alike'
            ) : (
              <>
                Alike to <a href={linkTo(['library', chosen])}>{chosen}</a>{' '}
                <button type="button" class="quiet" onClick={() => choose(undefined)}>
                  All
                </button>
              </>
            )}
          </h2>
          {listed.length === 0 ? <p class="calm-line">No two descriptions are this much alike. That is how it should be.</p> : null}
          <ol class="pairs" data-list>
            {listed.map((pair) => (
              <Pair pair={pair} />
            ))}
          </ol>
        </aside>
      </div>
    </div>
  );
}

function Pair({ pair: { a, b, likeness: value, shared } }: { readonly pair: LikenessPair }): VNode {
  return (
    <li>
      <p class="pair-names">
        <a data-item href={linkTo(['library', a])}>
          {a}
        </a>{' '}
        <a href={linkTo(['library', b])}>{b}</a> <strong>{value.toFixed(2)}</strong>
      </p>
      <span class="score-bar" aria-hidden="true">
        <span style={{ width: `${value * 100}%` }} />
      </span>
      <p class="shared">{shared.slice(0, 6).join(' · ')}</p>
    </li>
  );
}
