import { messageOf } from '@repertoire/skills-core/internal';
import { SkillError, type Skill, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';
import { forEachBounded, readListing, decodeText } from '@repertoire/skills-core/provider';
import { isPluginProvider } from '../agent-plugin/plugins-of-source.ts';
import { readPluginTests } from '../agent-plugin/plugin-tests.ts';
import type { CommandReport } from '../commands/command.ts';
import type { EvalItem } from './eval-item.ts';
import type { SourcePart } from '../source/open-source.ts';
import { maxEvalFileBytes, parseEvals } from './parse-evals.ts';

/** A library with everything that is tested about it. */
export interface TestedLibrary {
  /** The newest version of each skill, by name. */
  readonly skills: readonly Skill[];
  readonly items: readonly EvalItem[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Files with evaluations: `evals/evals.json`, `evals/trigger-evals.json`, `triggers.json`,
 * `evaluations/any-name.json`.
 */
// recheck: paths are short, and each part is bounded.
const evalFile = /(?:^|\/)(?:[\w.-]{0,60}evals?|[\w.-]{0,60}triggers?)\.json$|(?:^|\/)evaluations?\/[^/]{1,100}\.json$/i;
const concurrency = 8;

/**
 * Reads every skill and its evaluations.
 *
 * @param parts the sources, of which those of plugins may have evaluations of their own
 * @throws {SkillError} what the provider rejects with where it cannot list
 */
export async function readLibrary(
  provider: SkillProvider,
  report: Pick<CommandReport, 'progress'>,
  signal: AbortSignal,
  parts: readonly Pick<SourcePart, 'provider'>[] = [{ provider }],
): Promise<TestedLibrary> {
  const listing = await readListing(provider, { signal });
  const diagnostics: SkillDiagnostic[] = [...listing.diagnostics];
  const newest = new Map(listing.skills.toReversed().map((skill) => [skill.name, skill]));
  const names = new Set(newest.keys());
  const skills = new Map<string, Skill>();
  const items = new Map<string, EvalItem[]>();
  let read = 0;
  await forEachBounded([...newest.values()], concurrency, async ({ name, version }) => {
    signal.throwIfAborted();
    try {
      const skill = await provider.getSkill(name, { version, signal });
      if (skill !== null) {
        skills.set(name, skill);
        for (const { path } of skill.resources.filter((file) => evalFile.test(file.path))) {
          const found = parseEvals(await readFile(provider, skill, path, signal), { skill: name, file: path, names });
          diagnostics.push(...found.diagnostics);
          items.set(name, [...(items.get(name) ?? []), ...found.items]);
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      // One skill that cannot be read hides no other.
      diagnostics.push(unreadable(name, error));
    }
    read += 1;
    if (read % 10 === 0) report.progress(`Read ${read} of ${newest.size} skills…`);
  });
  for (const part of parts) {
    if (!isPluginProvider(part.provider)) continue;
    const shipped = await readPluginTests(part.provider, listing.skills, signal);
    diagnostics.push(...shipped.diagnostics);
    for (const item of shipped.items) items.set(item.skill, [...(items.get(item.skill) ?? []), item]);
  }
  const sorted = [...names].filter((name) => skills.has(name)).sort();
  return { skills: sorted.flatMap((name) => skills.get(name) ?? []), items: sorted.flatMap((name) => items.get(name) ?? []), diagnostics };
}

async function readFile(provider: SkillProvider, { name, version }: Skill, path: string, signal: AbortSignal): Promise<string> {
  const file = await provider.readResource(name, path, { version, maxBytes: maxEvalFileBytes + 1, signal });
  if (file === null) throw new SkillError('resource-not-found', `${path} of ${name} is listed and cannot be read.`, { skill: name, path });
  if (file.bytes.length > maxEvalFileBytes)
    throw new SkillError('limit-exceeded', `${path} of ${name} has more than ${maxEvalFileBytes} bytes.`, { skill: name, path });
  return decodeText(file.bytes) ?? '';
}

function unreadable(skill: string, error: unknown): SkillDiagnostic {
  const code = SkillError.isInstance(error) ? error.code : 'source-unavailable';
  return {
    code,
    severity: 'error',
    message: `${skill} cannot be tested: ${messageOf(error)}`,
    skill,
  };
}
