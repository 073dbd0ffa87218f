import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isJsonObject } from '@repertoire/skills-core/internal';
import { importHostModule } from '../agent/import-host-module.ts';
import type { CommandIo, CommandReport } from '../commands/command.ts';
import { lintRules } from '../lint/lint-rules.ts';
import { nearName } from '../lint/near-name.ts';
import { configName } from './config-name.ts';
import type { RepertoireConfig } from './repertoire-config.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

const moduleNames: readonly string[] = ['repertoire.config.ts', 'repertoire.config.mjs', 'repertoire.config.js'];
const keys = ['sources', 'tools', 'rules', 'ignores', 'forPeople', 'maxWarnings', 'budgets'] as const;
const budgetKeys: readonly string[] = ['bodyLines', 'bodyTokens', 'descriptionCharacters'];

/**
 * Reads `repertoire.config.json`, or a named file. A module is code, so it only runs if it is
 * named.
 *
 * @throws {SkillError} `invalid-options` for an unreadable or invalid file
 */
export async function readConfig(
  { cwd }: Pick<CommandIo, 'cwd'>,
  named?: string,
  report?: Pick<CommandReport, 'diagnostic'>,
): Promise<RepertoireConfig> {
  if (named === undefined && !existsSync(path.join(cwd, configName))) {
    const other = moduleNames.find((name) => existsSync(path.join(cwd, name)));
    if (other !== undefined)
      report?.diagnostic({
        code: 'config-not-run',
        severity: 'warning',
        message: `${other} was not read: it is code, and runs only where it is named.`,
        fix: `Give --config ${other}, or write ${configName}.`,
      });
    return {};
  }
  const file = named ?? configName;
  const full = path.resolve(cwd, file);
  return checked(/\.[cm]?[jt]s$/.test(full) ? await fromModule(full, file) : await fromJson(full, file), file);
}

async function fromModule(full: string, file: string): Promise<unknown> {
  try {
    const module = await importHostModule(pathToFileURL(full).href);
    return isObject(module) ? module['default'] : undefined;
  } catch (cause) {
    throw wrongUsage(`The configuration ${file} cannot be imported: ${(cause as Error).message}`, {
      path: full,
      cause,
    });
  }
}

async function fromJson(full: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(full, 'utf8'));
  } catch (cause) {
    throw wrongUsage(`The configuration ${file} cannot be read: ${(cause as Error).message}`, { path: full, cause });
  }
}

function checked(config: unknown, file: string): RepertoireConfig {
  const fail = (what: string): never => {
    throw wrongUsage(`The configuration ${file}: ${what}`, { path: file });
  };
  if (!isObject(config)) return fail('it holds no object. A module gives it as its default export.');
  const known = (key: string, names: readonly string[], what: string): void => {
    if (names.includes(key)) return;
    const near = nearName(key, names);
    fail(`there is no ${what} ${JSON.stringify(key)}.${near === null ? ` There are: ${names.join(', ')}.` : ` Did you mean ${near}?`}`);
  };
  const ruleIds = lintRules.map(({ id }) => id);
  for (const key of Object.keys(config)) if (key !== '$schema') known(key, keys, 'field');
  const { sources, tools, rules, ignores, forPeople, maxWarnings, budgets } = config;
  for (const [key, value] of Object.entries({ sources, tools, forPeople }))
    if (value !== undefined && !isTexts(value)) fail(`${key} must be a list of texts.`);
  if (maxWarnings !== undefined && !isCount(maxWarnings)) fail('maxWarnings must be a whole number.');
  if (rules !== undefined) {
    if (!isObject(rules)) return fail('rules must be an object: { "body-length": "off" }.');
    for (const [id, level] of Object.entries(rules)) {
      known(id, ruleIds, 'rule');
      if (!['off', 'warning', 'error'].includes(String(level))) fail(`the rule ${id} must be "off", "warning" or "error".`);
    }
  }
  if (ignores !== undefined) {
    if (!Array.isArray(ignores)) return fail('ignores must be a list: [{ "files": ["legacy/**"], "rules": ["dead-link"] }].');
    for (const entry of ignores as readonly unknown[]) {
      if (!isObject(entry) || !isTexts(entry['files']) || (entry['rules'] !== undefined && !isTexts(entry['rules'])))
        return fail('each of ignores must have files, and may have rules; both are lists of texts.');
      for (const id of entry['rules'] ?? []) known(id, ruleIds, 'rule');
    }
  }
  if (budgets !== undefined) {
    if (!isObject(budgets)) return fail('budgets must be an object: { "bodyLines": 500 }.');
    for (const [key, value] of Object.entries(budgets)) {
      known(key, budgetKeys, 'budget');
      if (!isCount(value)) fail(`the budget ${key} must be a whole number.`);
    }
  }
  return config;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value) || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '');
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
