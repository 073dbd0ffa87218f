import type { PluginProvider } from '@repertoire/agent-plugins';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { decodeText } from '@repertoire/skills-core/provider';
import type { EvalItem } from '../evals/eval-item.ts';
import { maxEvalFileBytes, parseEvals, type ParsedEvals } from '../evals/parse-evals.ts';

/**
 * Reads `tests` of `dev.repertoire`: evaluations of a plugin's skills, each of which names its
 * skill. If a plugin has one skill, that one is meant.
 */
export async function readPluginTests(
  provider: PluginProvider,
  listed: readonly SkillMetadata[],
  signal: AbortSignal,
): Promise<ParsedEvals> {
  const items: EvalItem[] = [];
  const diagnostics: SkillDiagnostic[] = [];
  for (const { manifest, files, tests } of await provider.listPlugins({ signal })) {
    const own = listed.filter(({ origin }) => origin?.label === provider.label && origin.place?.startsWith(`${manifest.name}/`) === true);
    const names = new Map(
      own.flatMap(({ name, origin }) => [origin?.place?.split('/').at(-1) ?? name, name].map((one) => [one, name] as const)),
    );
    const wrong = (file: string, message: string, fix: string): void =>
      void diagnostics.push({ code: 'eval-invalid', severity: 'error', message, path: `${manifest.name}/${file}`, fix });
    for (const file of tests) {
      const read = await files.read(file, { maxBytes: maxEvalFileBytes + 1, signal });
      if (read === null || read === 'outside' || read.bytes.length > maxEvalFileBytes) {
        const why = read === null ? 'is not there' : read === 'outside' ? 'leads out of it' : `has more than ${maxEvalFileBytes} bytes`;
        wrong(file, `Plugin ${JSON.stringify(manifest.name)} names the tests ${file}, which ${why}.`, 'Correct tests in its plugin.json.');
        continue;
      }
      const only = own.length === 1 ? (own[0]?.name ?? '') : '';
      const parsed = parseEvals(decodeText(read.bytes) ?? '', { skill: only, file, names: new Set(names.keys()) });
      diagnostics.push(...parsed.diagnostics.map((diagnostic) => ({ ...diagnostic, path: `${manifest.name}/${file}` })));
      for (const item of parsed.items) {
        const skill = names.get(item.skill);
        if (skill !== undefined) items.push({ ...item, skill, file: `${manifest.name}/${file}` });
        else
          wrong(
            file,
            `Test ${item.id} of ${file} names no skill of plugin ${JSON.stringify(manifest.name)}.`,
            'Give it "skill_name" or "skills".',
          );
      }
    }
  }
  return { items, diagnostics };
}
