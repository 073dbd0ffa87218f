import { findSecrets } from '../find-secrets.ts';
import type { LintFinding, LintRule } from '../lint-rule.ts';
import { positionAt } from '../positions.ts';

/** A key or token that should not be published. */
export const secret: LintRule = {
  id: 'secret',
  kind: 'correctness',
  severity: 'error',
  summary: 'A file holds something of the form of a key, a token or a password.',
  check: async ({ text, files }) => {
    const found: LintFinding[] = [];
    for (const file of [{ path: undefined, text }, ...files]) {
      if (file.text === null) continue;
      const told = new Set<string>();
      for (const { what, at, text: value } of await findSecrets(file.text)) {
        // One of each kind in a file: the others are found when it is fixed.
        if (told.has(what)) continue;
        told.add(what);
        found.push({
          file: file.path,
          ...positionAt(file.text, at),
          // The secret itself is not repeated: reports are kept and shared.
          message: `There is what looks like ${what}, beginning with ${JSON.stringify(value.slice(0, 8))}.`,
          fix: 'Remove it, and revoke it if it was ever real. Read it from the environment.',
        });
      }
    }
    return found;
  },
};
