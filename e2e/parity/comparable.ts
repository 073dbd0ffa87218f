import type { ModelCall } from '@repertoire/skills-testkit/internal';

/**
 * A record as it is from every source of a kind. What names a content of one source is left out: its place, its digest and the hashes of its texts. A revision is told by the
 * order in which it appears, and the places of texts, which are counted in tokens, are left out, because revisions differ in tokens.
 *
 * @param options.withLabels Whether the label of the source counts where only some sources show it.
 */
export function comparable(calls: readonly ModelCall[], { withLabels = true } = {}): unknown {
  const revisions = new Map<string, string>();
  const labelOf = (revision: string): string => {
    const label = revisions.get(revision) ?? `revision ${revisions.size + 1}`;
    revisions.set(revision, label);
    return label;
  };
  const plain = calls.map((call) => ({
    ...call,
    state: Object.entries(call.state.loaded).map(([name, { place: _place, content, texts, at: _at, ...entry }]) => ({
      name,
      ...entry,
      content: typeof content,
      texts: texts.length,
    })),
  }));
  const text = JSON.stringify(plain).replaceAll(
    /(revision(?:=\\"|":"))([\w-]{22})(?=\\?")/g,
    (_match, before: string, revision: string) => `${before}${labelOf(revision)}`,
  );
  // In lines of the catalog and at files. All texts of instructions have it.
  return JSON.parse(withLabels ? text : text.replaceAll(/(<skill(?:_file)? [^>]*?) source=\\"[^"]*\\"/g, '$1'));
}
