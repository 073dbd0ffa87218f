import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from './open-browser.ts';

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
  }[];
}

/**
 * What axe finds on a page as it is now: rule, place and reason, one string each. A page that allows no scripts of others is looked at all the same, as the
 * script comes through the debugger.
 *
 * @param page as somebody sees it now
 * @param within a selector, if only a part of it counts
 */
export async function findAxeProblems(page: Page, within?: string): Promise<string[]> {
  await page.evaluate(`if (!('axe' in window)) { ${script} }`);
  // A transition that is not at its end has a color that nobody is meant to read.
  await page.evaluate('Promise.all(document.getAnimations().map((each) => each.finished.catch(() => undefined)))');
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run(${within === undefined ? 'document' : JSON.stringify(within)}, { resultTypes: ['violations'] })`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes
      .slice(0, 3)
      .map(
        ({ target, failureSummary = '' }) =>
          `${id} (${help}) at ${target.join(' ')}: ${failureSummary.split('\n').slice(1, 3).join(' ').trim()}`,
      ),
  );
}
