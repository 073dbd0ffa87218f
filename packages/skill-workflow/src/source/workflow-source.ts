import { frontmatterCost } from '@repertoire/skills-core/internal';
import { scanFrontmatter } from '@repertoire/skills-core/provider';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Pair } from 'yaml';
import type { WorkflowSource } from '../parse/workflow-problem.ts';

/** Also ends on an alias that leads to itself. */
const maxDepth = 64;

/**
 * Finds the values of the frontmatter in the text of a SKILL.md, so that problems have a line and a
 * column.
 *
 * @param text the whole file, as `readResource(name, 'SKILL.md')` or the disk gives it
 * @example
 * ```ts
 * import { checkWorkflow, type WorkflowProblem } from '@repertoire/skill-workflow';
 * import { workflowSource } from '@repertoire/skill-workflow/source';
 * import { parseSkillMd } from '@repertoire/skills-core/skill-md';
 *
 * export function lint(text: string): readonly WorkflowProblem[] {
 *   const { metadata } = parseSkillMd(text);
 *   return metadata?.steps === undefined ? [] : checkWorkflow(metadata, { source: workflowSource(text) });
 * }
 * ```
 */
export function workflowSource(text: string): WorkflowSource {
  const scan = scanFrontmatter(text);
  if (scan.status !== 'complete') return { locate: () => undefined };
  const counter = new LineCounter();
  const yaml = text.slice(scan.yamlStart, scan.yamlEnd);
  // Nothing else reads such a frontmatter, so that it has no problems with a place.
  if (frontmatterCost(yaml) !== undefined) return { locate: () => undefined };
  const document = parseDocument(yaml, { lineCounter: counter, logLevel: 'silent' });
  // The frontmatter begins on the line below its delimiter.
  const linesAbove = scan.line;
  return {
    locate(at) {
      const offset = offsetOf(document, at);
      if (offset === undefined) return undefined;
      const { line, col } = counter.linePos(offset);
      return { line: line + linesAbove, column: col };
    },
  };
}

function offsetOf(document: Document, at: readonly (string | number)[]): number | undefined {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const key of at.slice(0, maxDepth)) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find((item: Pair) => isScalar(item.key) && String(item.key.value) === String(key));
      if (pair === undefined) return offset;
      offset = startOf(pair.value) ?? startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof key === 'number') {
      node = node.items[key];
      if (node === undefined) return offset;
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  const range = (node as { readonly range?: readonly number[] | null } | null | undefined)?.range;
  return range?.[0];
}
