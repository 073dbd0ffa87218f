import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { LikenessMap, LikenessPair } from '../../src/library/likeness-map.ts';
import { library, likeness } from '../state/api.ts';
import { count, number } from '../state/format.ts';
import { goTo, linkTo, route } from '../state/route.ts';
import { Boundary } from '../shared/boundary.tsx';
import { Combobox } from '../shared/combobox.tsx';
import { Empty, Wait } from '../shared/states.tsx';
import { shown } from '../text/shown.tsx';
import { LikenessPlot } from './likeness-plot.tsx';

const mostPairs = 60;
/** So many lines can be told apart: with more pairs, the map begins with the most alike ones. */
const fewLines = 150;
/** From here on, skills that are like no other are left out of the picture: they say nothing and take the room. */
const manySkills = 60;

/** The library as a map of islands: skills that compete for the same requests lie next to each other. */
export function MapPage(): VNode {
  return (
    <Wait of={likeness()}>
      {(map) =>
        map.nodes.length < 2 ? (
          <>
            <h1 class="visually-hidden">Likeness</h1>
            <Empty title="Nothing to compare">
              Two skills or more make a map. Add some to the folder; this page shows them at once.{' '}
              <a href={linkTo(['library'])}>To the library.</a>
            </Empty>
          </>
        ) : (
          <LikenessView map={map} />
        )
      }
    </Wait>
  );
}

function LikenessView({ map }: { readonly map: LikenessMap }): VNode {
  const { query } = route.value;
  const chosen = query['skill'];
  const usual = Math.min(0.6, Math.max(0.3, Math.ceil((map.pairs[fewLines]?.likeness ?? 0) * 100) / 100));
  const least = Math.max(map.least, Math.min(0.95, Number(query['least'] ?? usual) || usual));
  const close = useMemo(() => map.pairs.filter(({ likeness: value }) => value >= least), [map, least]);
  const loners = map.nodes.filter(({ island }) => island === null).length;
  const hasAll = map.nodes.length <= manySkills || query['alone'] === '1' || loners === map.nodes.length;
  const nodes = useMemo(() => map.nodes.filter(({ name, island }) => hasAll || island !== null || name === chosen), [map, hasAll, chosen]);
  const listed = (chosen === undefined ? close : map.pairs.filter(({ a, b }) => a === chosen || b === chosen)).slice(0, mostPairs);
  const choose = (skill: string | undefined): void => goTo(linkTo(['map'], { ...query, skill }), { replace: true });
  return (
    <div class="map">
      <header class="page-head">
        <h1>Likeness</h1>
        <p class="lede">
          Skills whose descriptions share words. A model may take one for the other: {count(close.length, 'pair')} above {least.toFixed(2)}.
        </p>
      </header>
      <div class="map-body">
        <div>
          <Boundary of="The map">
            <LikenessPlot map={map} nodes={nodes} pairs={close} chosen={chosen} onChoose={choose} rows={library().value?.skills ?? []} />
          </Boundary>
          {map.nodes.length <= manySkills || loners === 0 || loners === map.nodes.length ? null : (
            <p class="calm-line plot-note">
              {count(loners, 'skill')} {loners === 1 ? 'is' : 'are'} like no other{hasAll ? '.' : ' and not drawn.'}{' '}
              <a href={linkTo(['map'], { ...query, alone: hasAll ? '' : '1' })}>{hasAll ? 'Leave them out' : 'Draw them'}</a>
            </p>
          )}
        </div>
        <aside class="map-side" aria-label="Pairs">
          <Combobox
            label="Find a skill"
            placeholder="All skills"
            value={chosen ?? ''}
            choices={[{ value: '', title: 'All skills' }, ...map.nodes.map(({ name }) => ({ value: name }))]}
            onChange={(name) => choose(name === '' ? undefined : name)}
          />
          <label class="field">
            <span>
              Least likeness <small>{least.toFixed(2)}</small>
            </span>
            <input
              type="range"
              min={map.least}
              max="0.95"
              step="0.01"
              value={least}
              onInput={(event) => goTo(linkTo(['map'], { ...query, least: event.currentTarget.value }), { replace: true })}
              aria-valuetext={`${least.toFixed(2)}: ${count(close.length, 'pair')}`}
            />
          </label>
          <h2>
            {chosen === undefined ? (
              'Most alike'
            ) : (
              <>
                Alike to <a href={linkTo(['library', chosen])}>{shown(chosen)}</a>
              </>
            )}
          </h2>
          {listed.length === 0 ? <NoPairs isOfOne={chosen !== undefined} hasSome={map.pairs.length > 0} least={map.least} /> : null}
          <ol class="pairs" data-list>
            {listed.map((pair) => (
              <Pair key={`${pair.a} ${pair.b}`} pair={pair} />
            ))}
          </ol>
          {chosen === undefined && close.length > listed.length ? (
            <p class="calm-line">and {number(close.length - listed.length)} more. Raise the least likeness, or find a skill.</p>
          ) : null}
        </aside>
      </div>
    </div>
  );
}

function NoPairs({ isOfOne, hasSome, least }: { readonly isOfOne: boolean; readonly hasSome: boolean; readonly least: number }): VNode {
  const { query } = route.value;
  if (isOfOne) return <p class="calm-line">No other description is like this one. That is how it should be.</p>;
  return (
    <p class="calm-line">
      No two descriptions are this much alike. That is how it should be.
      {hasSome ? (
        <>
          {' '}
          <a href={linkTo(['map'], { ...query, least: String(least) })}>Show those that are a little alike.</a>
        </>
      ) : null}
    </p>
  );
}

function Pair({ pair: { a, b, likeness: value, shared } }: { readonly pair: LikenessPair }): VNode {
  return (
    <li>
      <p class="pair-names">
        <a data-item href={linkTo(['library', a])}>
          {shown(a)}
        </a>{' '}
        <a href={linkTo(['library', b])}>{shown(b)}</a> <strong>{value.toFixed(2)}</strong>
      </p>
      <span class="score-bar" aria-hidden="true">
        <span style={{ width: `${value * 100}%` }} />
      </span>
      <p class="shared">{shown(shared.slice(0, 6).join(' · '))}</p>
    </li>
  );
}
