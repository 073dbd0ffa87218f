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

/** Options of {@link findAxeProblems}. */
export interface AxeOptions {
  /** Leaves out rules that say nothing of colors. @default false */
  readonly onlyColors?: boolean;
}

/**
 * What axe finds on a page as it is now: rule, place and reason, one string each. A page that allows no scripts of others is looked at all the same, as the
 * script comes through the debugger.
 *
 * @param page as somebody sees it now
 * @param options which rules count
 */
export async function findAxeProblems(page: Page, { onlyColors = false }: AxeOptions = {}): Promise<string[]> {
  // Half a megabyte, which is read once a page.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(script);
  // A transition that is not at its end has a color that nobody is meant to read. One without an end stays.
  await page.evaluate(
    'document.getAnimations().forEach((each) => Number.isFinite(each.effect.getComputedTiming().endTime) && each.finish())',
  );
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run(document, ${JSON.stringify({
      resultTypes: ['violations'],
      ...(onlyColors && { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }),
    })})`,
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
