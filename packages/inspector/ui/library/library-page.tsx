import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { count, number } from '../state/format.ts';
import type { LibraryView, SkillRow } from '../../src/library/views.ts';
import { library } from '../state/api.ts';
import { linkTo, route } from '../state/route.ts';
import { Boundary } from '../shared/boundary.tsx';
import { Icon } from '../shared/icons.tsx';
import { Empty, Wait } from '../shared/states.tsx';
import { shown } from '../text/shown.tsx';
import { CostBar, CostLegend, totalCost } from './cost-bar.tsx';
import { DiagnosticList } from './diagnostic-list.tsx';
import { SearchBox } from './search-box.tsx';
import { SearchResults } from './search-results.tsx';
import { SkillDetail } from './skill-detail.tsx';
import { SkillList } from './skill-list.tsx';

/** The library: a list beside one skill. On a phone it is one or the other. */
export function LibraryPage(): VNode {
  const { parts, query } = route.value;
  const chosen = parts[1];
  return (
    <Wait of={library()}>
      {(view) => (
        <div class={chosen === undefined && query['view'] !== 'overview' ? 'split' : 'split has-detail'}>
          <section class="pane list-pane" aria-label="Skills" tabIndex={-1}>
            <Head view={view} />
            {view.skills.length === 0 ? (
              <Empty title="No skills here">
                A skill is a folder with a <code>SKILL.md</code>. Make one with <code>repertoire new my-skill</code>; this page shows it at
                once.
              </Empty>
            ) : (
              <>
                <SearchBox explained={query['why'] === '1'} />
                <Boundary of="The list" key={query['why'] ?? ''}>
                  {query['why'] === '1' ? <SearchResults query={query['q'] ?? ''} /> : <SkillList view={view} chosen={chosen} />}
                </Boundary>
              </>
            )}
          </section>
          <section class="pane detail-pane" aria-label="Skill">
            {/* On a phone, the heading of the list is not there. */}
            <h1 class="visually-hidden narrow-title">Library</h1>
            <Boundary of={chosen === undefined ? 'The overview' : 'This skill'} key={chosen ?? ''}>
              <Pane view={view} chosen={chosen} />
            </Boundary>
          </section>
        </div>
      )}
    </Wait>
  );
}

function Head({ view }: { readonly view: LibraryView }): VNode {
  const share = Math.min(1, view.catalogTokens / Math.max(1, view.maxTokens));
  const isTight = view.skills.some((row) => row.shown === 'shortened' || row.shown === 'name-only' || row.shown === 'dropped');
  return (
    <header class="page-head">
      <h1>Library</h1>
      <p class="lede">
        {count(view.skills.length, 'skill')}, <strong>{number(view.catalogTokens)}</strong> tokens in every request
      </p>
      <div class="budget">
        <div
          class="meter"
          role="img"
          aria-label={`${number(view.catalogTokens)} of ${number(view.maxTokens)} tokens of the catalog's budget`}
        >
          <span class={isTight ? 'tight' : ''} style={{ width: `${Math.max(1, share * 100)}%` }} />
        </div>
        <span class="budget-text">of {number(view.maxTokens)}</span>
      </div>
      <a class="to-overview" href={linkTo(['library'], { view: 'overview' })}>
        Overview and {count(view.diagnostics.length, 'diagnostic')}
      </a>
    </header>
  );
}

/** Beside the list. It is drawn anew when it shows something else, and not whenever the address changes. */
function Pane({ view, chosen }: { readonly view: LibraryView; readonly chosen: string | undefined }): VNode {
  return useMemo(() => (chosen === undefined ? <Overview view={view} /> : <SkillDetail name={chosen} view={view} />), [view, chosen]);
}

function Overview({ view }: { readonly view: LibraryView }): VNode {
  const everything = view.skills.reduce((sum, { cost }) => sum + totalCost(cost), 0);
  const loaded = view.skills.map(({ cost }) => cost.body).sort((a, b) => a - b);
  const facts: readonly (readonly [string, string, string])[] = [
    ['At the start', number(view.catalogTokens), 'tokens: what every request pays'],
    ['A typical skill', number(loaded[Math.floor(loaded.length / 2)] ?? 0), 'tokens more, once it is loaded'],
    ['Everything', number(everything), 'tokens, if each file were read'],
  ];
  return (
    <div class="overview">
      <a class="back" href={linkTo(['library'])}>
        <Icon name="back" /> All skills
      </a>
      <h2 class="display">What an agent knows, and what it would cost to know more</h2>
      <dl class="facts">
        {facts.map(([title, figure, what]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <strong>{figure}</strong> <span>{what}</span>
            </dd>
          </div>
        ))}
      </dl>
      <Largest rows={view.skills} />
      <CostLegend />
      {view.complete ? null : <p class="notice">A source could not list everything that it has.</p>}
      <h2>Diagnostics</h2>
      <DiagnosticList diagnostics={view.diagnostics} />
    </div>
  );
}

function Largest({ rows }: { readonly rows: readonly SkillRow[] }): VNode {
  const largest = [...rows].sort((a, b) => totalCost(b.cost) - totalCost(a.cost)).slice(0, 10);
  const most = totalCost(largest[0]?.cost ?? { line: 0, body: 0, files: {} });
  return (
    <ol class="largest" aria-label="The largest skills">
      {largest.map(({ name, cost }) => (
        <li key={name}>
          <a href={linkTo(['library', name])}>{shown(name)}</a>
          <CostBar cost={cost} largest={most} scale="linear" />
          <span>{number(totalCost(cost))}</span>
        </li>
      ))}
    </ol>
  );
}
