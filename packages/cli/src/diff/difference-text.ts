import { findingLine } from '../proposals/proposal-text.ts';
import { oneLine } from '../text/one-line.ts';
import type { FieldChange, SkillDifference } from './diff-skills.ts';

const signs = { added: '+', removed: '-', changed: '~' } as const;
const maxValue = 200;

/** A difference for people: permissions first, then fields, files and their patches. */
export function differenceText({ name, change, fields, files, allows, risks }: SkillDifference, isStat: boolean): string {
  const permissions = fields.filter(({ isPermission }) => isPermission);
  const others = fields.filter(({ isPermission }) => !isPermission);
  return [
    `${signs[change]} ${name}`,
    ...(permissions.length === 0 ? [] : ['  permissions', ...permissions.map(fieldLine)]),
    ...(allows.length === 0 ? [] : ['  newly asked for', ...allows.map(({ kind, what }) => `    ${kind}: ${oneLine(what, maxValue)}`)]),
    ...(risks.length === 0 ? [] : ['  newly in its texts', ...risks.map((risk) => `    ${findingLine(risk)}`)]),
    ...(others.length === 0 ? [] : ['  fields', ...others.map(fieldLine)]),
    ...(files.length === 0 ? [] : ['  files', ...files.map((file) => `    ${signs[file.change]} ${file.path}`)]),
    // The text of a skill that came or went whole says nothing that its folder does not.
    ...(isStat || change !== 'changed' ? [] : files.flatMap(({ patch }) => (patch === null ? [] : ['', patch.trimEnd()]))),
  ].join('\n');
}

function fieldLine({ field, before, after }: FieldChange): string {
  return `    ${field}: ${show(before)} -> ${show(after)}`;
}

function show(value: unknown): string {
  return value === null ? '(none)' : oneLine(JSON.stringify(value), maxValue);
}
