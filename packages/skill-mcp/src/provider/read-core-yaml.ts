import { isScalar, parseDocument, visit } from 'yaml';

/** Nodes that aliases may stand for altogether; the parser's own bound counts otherwise. */
const maxAliasCount = 100;

/**
 * Reads YAML with the types of the core schema of YAML 1.2, as the extension has it. Keys that occur twice are an error, as they are to the
 * parser itself, which compares each key with every other one and takes seconds for thousands of them.
 *
 * @throws for what is no YAML
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
