import path from 'node:path';
import type { RepertoireConfig } from '../config/repertoire-config.ts';
import type { LintChoice } from './judge-findings.ts';
import type { LintRule } from './lint-rule.ts';
import { lintRules } from './lint-rules.ts';
import { nearName } from './near-name.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** What a person said of rules on the command line. It counts more than the configuration. */
export interface RuleOptions {
  readonly style?: boolean | undefined;
  readonly only?: readonly string[] | undefined;
  readonly ignore?: readonly string[] | undefined;
}

/**
 * Decides which rules are applied, and where.
 *
 * @throws {SkillError} `invalid-options` for a rule that does not exist
 */
export async function chooseRules(
  { style = false, only, ignore = [] }: RuleOptions,
  config: RepertoireConfig,
  cwd: string,
): Promise<LintChoice> {
  const ids = lintRules.map(({ id }) => id);
  for (const id of [...(only ?? []), ...ignore]) {
    if (ids.includes(id)) continue;
    const near = nearName(id, ids);
    throw wrongUsage(
      `There is no rule ${JSON.stringify(id)}.${near === null ? ` There are: ${ids.join(', ')}.` : ` Did you mean ${near}?`}`,
    );
  }
  const isOn = ({ id, kind }: LintRule): boolean => {
    if (ignore.includes(id)) return false;
    if (only !== undefined) return only.includes(id);
    const level = config.rules?.[id];
    return level === undefined ? style || kind === 'correctness' : level !== 'off';
  };
  const severityOf = ({ id, severity }: LintRule): 'error' | 'warning' => {
    const level = config.rules?.[id];
    return level === undefined || level === 'off' ? severity : level;
  };
  const ignores = await Promise.all(
    (config.ignores ?? []).map(async ({ files, rules }) => {
      const { default: picomatch } = await import('picomatch');
      return { isMatch: picomatch([...files], { dot: true }), rules };
    }),
  );
  return {
    rules: new Map(lintRules.filter(isOn).map((rule) => [rule, severityOf(rule)])),
    isIgnored: (rule, file) => {
      if (ignores.length === 0) return false;
      const relative = path.relative(cwd, path.resolve(cwd, file)).split(path.sep).join('/');
      return ignores.some(({ isMatch, rules }) => (rules === undefined || rules.includes(rule)) && isMatch(relative));
    },
  };
}
