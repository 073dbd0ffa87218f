import type { VNode } from 'preact';
import type { ProposalRow } from '../../src/review/views.ts';
import { proposals } from '../state/api.ts';
import { minute, number } from '../state/format.ts';
import { linkTo, route } from '../state/route.ts';
import { Boundary } from '../shared/boundary.tsx';
import { Empty, Wait } from '../shared/states.tsx';
import { shown } from '../text/shown.tsx';
import { ProposalDetail } from './proposal-detail.tsx';

/** What agents proposed. The page shows it; accepting it stays with the command. */
export function ProposalsPage(): VNode {
  const id = route.value.parts[1];
  if (id !== undefined)
    return (
      <Boundary of="This proposal" key={id}>
        <ProposalDetail id={id} />
      </Boundary>
    );
  const loaded = proposals();
  return (
    <>
      <header class="page-head">
        <h1>Proposals</h1>
        <p class="lede">Skills that agents proposed. No agent sees one before a person accepts it.</p>
        <button type="button" class="quiet" onClick={loaded.retry}>
          Read again
        </button>
      </header>
      <Wait of={loaded}>
        {({ proposals: rows, left }) =>
          rows.length === 0 ? (
            <Empty title="Nothing is proposed">
              Agents propose skills with the tool <code>propose_skill</code>.
            </Empty>
          ) : (
            <>
              {left === 0 ? null : <p class="notice">{left} more are not shown. The command lists all.</p>}
              <Found rows={rows} />
              <ul class="recordings" data-list aria-label="Proposals">
                {rows.filter(isShown).map((row) => (
                  <li key={row.id}>
                    <Row row={row} />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Wait>
    </>
  );
}

const codesOf = ({ errors, warnings }: ProposalRow): readonly string[] => [...errors, ...warnings];

function isShown(row: ProposalRow): boolean {
  const wanted = route.value.query['found'];
  return wanted === undefined || codesOf(row).includes(wanted);
}

/** What the checks found, with how often; each count narrows the list, and widens it again. */
function Found({ rows }: { readonly rows: readonly ProposalRow[] }): VNode | null {
  const { query } = route.value;
  const counts = [...Map.groupBy(rows.flatMap(codesOf), (code) => code)];
  if (counts.length === 0) return null;
  return (
    <ul class="kinds" aria-label="Show only">
      {counts.map(([code, all]) => (
        <li key={code}>
          <a
            class="kind"
            href={linkTo(['proposals'], { ...query, found: query['found'] === code ? '' : code })}
            aria-current={query['found'] === code ? 'true' : undefined}
          >
            <b>{number(all.length)}</b> {shown(code)}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Row({ row: { id, skill, status, isNew, created, reason, problem, errors, warnings } }: { readonly row: ProposalRow }): VNode {
  if (problem !== null) return <p class="notice">{shown(`${id}: ${problem}`)}</p>;
  return (
    <a data-item href={linkTo(['proposals', id])}>
      <strong>
        <bdi>{shown(skill)}</bdi> <span class={`badge ${status === 'pending' ? 'warn' : 'plain'}`}>{status}</span>
        {errors.map((code) => (
          <span key={code} class="badge bad">
            {shown(code)}
          </span>
        ))}{' '}
        {warnings.map((code) => (
          <span key={code} class="badge warn">
            {shown(code)}
          </span>
        ))}
        <br />
        <small>{shown(reason.slice(0, 200))}</small>
      </strong>
      <span>
        {isNew ? 'new skill' : 'change'} · {shown(minute(created))}
      </span>
    </a>
  );
}
