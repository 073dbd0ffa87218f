import type { VNode } from 'preact';
import { approvals } from '../state/api.ts';
import { count } from '../state/format.ts';
import { Empty, Wait } from '../shared/states.tsx';
import { ApprovalList } from './approval-list.tsx';

/** What people approved, and what of it counts for the skills as they are now. */
export function ApprovalsPage(): VNode {
  const loaded = approvals();
  return (
    <>
      <header class="page-head">
        <h1>Approvals</h1>
        <p class="lede">What people allowed skills to do, each for one content. A change of a file ends an approval.</p>
        <button type="button" class="quiet" onClick={loaded.retry}>
          Read again
        </button>
      </header>
      <Wait of={loaded}>
        {(view) =>
          view.approvals.length === 0 ? (
            <Empty title="Nothing is approved">
              Somebody answers “this content” to a question of the application, or runs <code>repertoire approve</code>.
            </Empty>
          ) : (
            <>
              <p class="figures" role="status">
                {count(view.approvals.length, 'approval')},{' '}
                <strong>{view.approvals.filter(({ standing }) => standing === 'stands').length}</strong> of them for a skill as it is now
                {view.left === 0 ? '' : `; ${view.left} more are not shown`}
              </p>
              <ApprovalList approvals={view.approvals} />
            </>
          )
        }
      </Wait>
    </>
  );
}
