import type { SkillDiagnostic } from '@repertoire/skills-core';

/** Workflow commands by which GitHub Actions shows findings beside the lines of a pull request. */
export function githubAnnotations(findings: readonly SkillDiagnostic[]): string {
  return findings
    .map(({ code, severity, message, fix, path = '', line, column }) => {
      const place = [
        `file=${property(path)}`,
        ...(line === undefined ? [] : [`line=${line}`]),
        ...(column === undefined ? [] : [`col=${column}`]),
      ];
      const text = fix === undefined ? message : `${message} ${fix}`;
      return `::${severity === 'info' ? 'notice' : severity} ${[...place, `title=${property(code)}`].join(',')}::${data(text)}`;
    })
    .join('\n');
}

/** A message cannot end its command and begin another one. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
