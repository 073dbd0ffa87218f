import type { SkillDiagnostic } from '@repertoire/skills-core';
import type { VNode } from 'preact';
import { count } from '../state/format.ts';
import { linkTo } from '../state/route.ts';

/** How many are shown: a list of thousands helps nobody. */
const most = 200;

/** What sources and files have to say, the worst first. */
export function DiagnosticList({
  diagnostics,
  isOfSkill = false,
}: {
  readonly diagnostics: readonly SkillDiagnostic[];
  readonly isOfSkill?: boolean;
}): VNode {
  if (diagnostics.length === 0) return <p class="calm-line">Nothing to report.</p>;
  const rank = { error: 0, warning: 1, info: 2 } as const;
  const sorted = [...diagnostics].sort((a, b) => rank[a.severity] - rank[b.severity]);
  return (
    <>
      <ul class="diagnostics">
        {sorted.slice(0, most).map(({ severity, code, message, skill, path, line, fix }) => (
          <li class={severity}>
            <p>
              <span class="severity">{severity}</span> <code>{code}</code>
              {isOfSkill || skill === undefined ? null : <a href={linkTo(['library', skill])}>{skill}</a>}
              {path === undefined ? null : <span class="place">{line === undefined ? path : `${path}:${line}`}</span>}
            </p>
            <p>{message}</p>
            {fix === undefined ? null : <p class="fix">{fix}</p>}
          </li>
        ))}
      </ul>
      {sorted.length > most ? <p class="calm-line">and {count(sorted.length - most, 'more diagnostic')}.</p> : null}
    </>
  );
}
