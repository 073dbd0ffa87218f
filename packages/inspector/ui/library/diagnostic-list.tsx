import type { SkillDiagnostic } from '@repertoire/skills-core';
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { count, number } from '../state/format.ts';
import { linkTo, route } from '../state/route.ts';
import { shown } from '../text/shown.tsx';

interface DiagnosticListProps {
  readonly diagnostics: readonly SkillDiagnostic[];
  readonly isOfSkill?: boolean;
}

const rank = { error: 0, warning: 1, info: 2 } as const;
const titles = { error: 'error', warning: 'warning', info: 'note' } as const;
const fewGroups = 2;
const step = 20;

/** What sources and files have to say: by severity, then by what it is, the worst first. Each count is a filter. */
export function DiagnosticList({ diagnostics, isOfSkill = false }: DiagnosticListProps): VNode {
  if (diagnostics.length === 0) return <p class="calm-line">Nothing to report.</p>;
  const { parts, query } = route.value;
  const severity = query['severity'];
  const counts = Map.groupBy(diagnostics, (each) => each.severity);
  const kept = severity === undefined ? diagnostics : diagnostics.filter((each) => each.severity === severity);
  const groups = [...Map.groupBy(kept, ({ code }) => code)].sort(
    ([codeA, [a]], [codeB, [b]]) => rank[a?.severity ?? 'info'] - rank[b?.severity ?? 'info'] || (codeA < codeB ? -1 : 1),
  );
  return (
    <>
      <ul class="kinds" aria-label="Show only">
        {(['error', 'warning', 'info'] as const).map((each) => {
          const figure = counts.get(each)?.length ?? 0;
          if (figure === 0) return null;
          return (
            <li key={each}>
              <a
                class={`kind ${each}`}
                href={linkTo(parts, { ...query, severity: severity === each ? '' : each })}
                aria-current={severity === each ? 'true' : undefined}
              >
                {count(figure, titles[each])}
              </a>
            </li>
          );
        })}
      </ul>
      {groups.map(([code, own]) => (
        <Group key={code} code={code} own={own} isOpen={groups.length <= fewGroups} isOfSkill={isOfSkill} />
      ))}
      {groups.length === 0 ? (
        <p class="calm-line">
          Nothing of this severity. <a href={linkTo(parts, { ...query, severity: '' })}>Show all.</a>
        </p>
      ) : null}
    </>
  );
}

interface GroupProps {
  readonly code: string;
  readonly own: readonly SkillDiagnostic[];
  readonly isOpen: boolean;
  readonly isOfSkill: boolean;
}

function Group({ code, own, isOpen, isOfSkill }: GroupProps): VNode {
  const most = useSignal(step);
  const skills = new Set(own.map(({ skill }) => skill)).size;
  const severity = own[0]?.severity ?? 'info';
  return (
    <details class={`diagnostic-group ${severity}`} open={isOpen}>
      <summary>
        <span class="severity">{titles[severity]}</span> <code>{shown(code)}</code>{' '}
        <span class="group-count">
          {number(own.length)}
          {isOfSkill || skills < 2 ? '' : ` in ${number(skills)} skills`}
        </span>
      </summary>
      <ul class="diagnostics">
        {own.slice(0, most.value).map((each, index) => (
          <Diagnostic key={`${each.skill ?? ''} ${each.path ?? ''} ${each.line ?? ''} ${index}`} of={each} isOfSkill={isOfSkill} />
        ))}
      </ul>
      {own.length > most.value ? (
        <button type="button" class="quiet" onClick={() => (most.value += 5 * step)}>
          Show more: {number(own.length - most.value)} are left
        </button>
      ) : null}
    </details>
  );
}

function Diagnostic({ of, isOfSkill }: { readonly of: SkillDiagnostic; readonly isOfSkill: boolean }): VNode {
  const { severity, message, skill, path, line, fix } = of;
  const place = path === undefined ? null : line === undefined ? path : `${path}:${line}`;
  const hasHead = place !== null || (!isOfSkill && skill !== undefined);
  return (
    <li class={severity}>
      {hasHead ? (
        <p class="diagnostic-place">
          {isOfSkill || skill === undefined ? null : <a href={linkTo(['library', skill], { tab: 'about' })}>{shown(skill)}</a>}
          {place === null ? null : <span>{shown(place)}</span>}
        </p>
      ) : null}
      <p>{shown(message)}</p>
      {fix === undefined ? null : <p class="fix">{shown(fix)}</p>}
    </li>
  );
}
