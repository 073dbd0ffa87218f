import type { VNode } from 'preact';
import type { ApprovalView } from '../../src/review/views.ts';
import { linkTo } from '../state/route.ts';
import { shownPlain } from '../text/hidden-parts.ts';
import { shown } from '../text/shown.tsx';

const standings = {
  stands: ['counts', 'good', 'It counts for the skill as it is now.'],
  changed: ['ended by a change', 'warn', 'The skill is another one by now, so a person is asked again.'],
  absent: ['not here', 'plain', 'No skill here has this source, place and version.'],
  unknown: ['unknown', 'plain', 'The source does not answer, or does not say which files the skill has.'],
  damaged: ['damaged', 'bad', 'The record is not the one of its key, so it counts for nothing.'],
} as const;

function StandingBadge({ approval: { standing, never } }: { readonly approval: ApprovalView }): VNode {
  const [text, tone, title] =
    never && standing === 'stands' ? (['never', 'bad', 'A person said never to this content.'] as const) : standings[standing];
  return (
    <span class={`badge ${tone}`} title={title}>
      {text}
    </span>
  );
}

/** Answers of people: what they allow, for whom, who gave them and when, and what ended them. */
export function ApprovalList({
  approvals,
  isOfSkill = false,
}: {
  readonly approvals: readonly ApprovalView[];
  readonly isOfSkill?: boolean;
}): VNode {
  return (
    <ul class="approvals" aria-label="Approvals" data-list>
      {approvals.map((approval, index) => (
        <li key={index} class="approval">
          <Heading approval={approval} isOfSkill={isOfSkill} />
          <p>
            {approval.never
              ? 'Never.'
              : approval.grants.map((grant) => (
                  <span key={grant} class={approval.standing === 'stands' ? 'chip' : 'chip closed'}>
                    {grant}
                  </span>
                ))}
          </p>
          <p class="calm-line">
            {approval.by === null ? 'Nobody said who' : <bdi>{shown(approval.by)}</bdi>}, <time>{shown(approval.at)}</time>
            {approval.scope === '' ? '' : <> · for {shown(approval.scope)}</>} · content{' '}
            <code title={shownPlain(approval.content)}>{shown(approval.content.slice(0, 12))}</code>
          </p>
          <Changes approval={approval} />
        </li>
      ))}
    </ul>
  );
}

function Heading({ approval, isOfSkill }: { readonly approval: ApprovalView; readonly isOfSkill: boolean }): VNode {
  const { skill, version, source, place, standing } = approval;
  const isHere = standing !== 'absent' && standing !== 'damaged';
  return (
    <p class="badges">
      {isOfSkill ? null : isHere ? (
        <a data-item href={linkTo(['library', skill], { tab: 'about' })}>
          <bdi>{shown(skill)}</bdi>
        </a>
      ) : (
        <bdi>{shown(skill)}</bdi>
      )}{' '}
      {version === null ? null : <span class="badge plain">{shownPlain(version)}</span>} <StandingBadge approval={approval} />{' '}
      {isOfSkill ? null : (
        <small>
          {shown(source)}, {shown(place)}
        </small>
      )}
    </p>
  );
}

function Changes({ approval: { standing, changes } }: { readonly approval: ApprovalView }): VNode | null {
  if (standing !== 'changed' || changes === null) return null;
  const { added, removed, changed } = changes;
  const parts = (
    [
      ['changed', changed],
      ['added', added],
      ['removed', removed],
    ] as const
  ).filter(([, paths]) => paths.length > 0);
  if (parts.length === 0) return <p class="notice">Since then, SKILL.md changed.</p>;
  return (
    <p class="notice">
      Since then:{' '}
      {parts.map(([what, paths], index) => (
        <span key={what}>
          {index === 0 ? '' : '; '}
          {what} {shown(paths.slice(0, mostPaths).join(', '))}
          {paths.length > mostPaths ? ` and ${paths.length - mostPaths} more` : ''}
        </span>
      ))}
    </p>
  );
}

const mostPaths = 20;
