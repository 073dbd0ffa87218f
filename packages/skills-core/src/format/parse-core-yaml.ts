import { Composer, isScalar, Parser, visit } from '#yaml';
import { SkillError } from '../errors/skill-error.ts';
import { messageOf } from '../errors/message-of.ts';
import { frontmatterCost } from './frontmatter-cost.ts';

/** Maximum nodes that aliases may expand to. The parser's own limit counts differently. */
const maxAliasCount = 100;

const options = { schema: 'core', version: '1.2', logLevel: 'silent', prettyErrors: false, uniqueKeys: false } as const;

/**
 * Reads frontmatter as YAML 1.2 with the core schema, as JSON does: `1.10` is a number, `true` a
 * boolean. `parseSkillMd` keeps both as the text that was written; this is for who has to promise
 * the values that other parsers read.
 *
 * @throws {SkillError} `invalid-skill` for invalid YAML, where a key stands twice, and for YAML
 *   that would take a parser seconds
 * @example
 * ```ts
 * import { parseCoreYaml } from '@repertoire/skills-core/skill-md';
 *
 * parseCoreYaml('name: haiku\nversion: 1.10\n'); // { name: 'haiku', version: 1.1 }
 * ```
 */
export function parseCoreYaml(text: string): unknown {
  const cost = frontmatterCost(text);
  if (cost !== undefined) throw new SkillError('invalid-skill', `It is not read, because parsing it could take very long: ${cost}.`);
  try {
    return readFirstDocument(text);
  } catch (error) {
    throw new SkillError('invalid-skill', messageOf(error), { cause: error });
  }
}

function readFirstDocument(text: string): unknown {
  const [document] = [...new Composer(options).compose(new Parser().parse(text), true, text.length)];
  const [error] = document?.errors ?? [];
  if (document === undefined || error !== undefined) throw error ?? new Error('It is empty.');
  // The library's own check compares every pair of keys, and takes seconds for thousands of them.
  visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const value = isScalar(key) ? key.value : key;
        if (seen.has(value)) throw new Error(`Map keys must be unique: ${String(value).slice(0, 100)}`);
        seen.add(value);
      }
    },
  });
  return document.toJS({ maxAliasCount });
}
