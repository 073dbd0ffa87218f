import { styleText } from 'node:util';
import { printable } from '../commands/command.ts';
import type { LintResult } from './judge-findings.ts';

/** Findings for people, grouped by skill. */
export function lintText(results: readonly LintResult[], hasColors: boolean): string {
  const paint = (style: 'bold' | 'red' | 'yellow' | 'dim', text: string): string =>
    hasColors ? styleText(style, text, { validateStream: false }) : text;
  const bySkill = Map.groupBy(results, ({ skill }) => skill);
  return [...bySkill]
    .map(([skill, own]) => {
      const lines = own.map(({ rule, severity, file, diagnostic: { line = 1, message, fix } }) => {
        const place = printable(`${file ?? skillFile(skill.facts.path)}:${line}`);
        // Text of skills may be hostile: it is made printable before colors are put around it.
        const text = printable(fix === undefined ? message : `${message} ${fix}`);
        return `  ${place}  ${paint(severity === 'error' ? 'red' : 'yellow', severity)}  ${text}  ${paint('dim', `[${rule.id}]`)}`;
      });
      return [`${paint('bold', printable(skill.facts.name))}  ${printable(skill.facts.path)}`, ...lines].join('\n');
    })
    .join('\n\n');
}

function skillFile(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
