import { isScalar, parseDocument, visit } from 'yaml';

/** Maximum nodes that aliases may expand to. The parser's own limit counts differently. */
const maxAliasCount = 100;

/**
 * Reads YAML with the core schema of YAML 1.2, as the extension requires. Duplicate keys are an
 * error, as in the parser itself, whose check compares every pair of keys and takes seconds for
 * thousands of them.
 *
 * @throws for invalid YAML
 */
export function readCoreYaml(text: string): unknown {
  const document = parseDocument(text, { schema: 'core', version: '1.2', logLevel: 'silent', prettyErrors: false, uniqueKeys: false });
  const [error] = document.errors;
  if (error !== undefined) throw error;
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
