import { SystemMessage } from '@langchain/core/messages';

/** The system message with the catalog as its last block. Cache marks do not change. */
export function withCatalog(system: SystemMessage, texts: readonly string[], cacheControl: object | undefined): SystemMessage {
  const parts = texts.filter((text) => text !== '');
  if (parts.length === 0) return system;
  const { content } = system;
  const base =
    typeof content === 'string'
      ? content === ''
        ? []
        : [{ type: 'text' as const, text: content }]
      : content.filter((block) => block.type !== 'text' || block['text'] !== '');
  const blocks = parts.map((text, index) => ({
    type: 'text' as const,
    // Some model classes join the blocks without a separator.
    text: index === 0 && base.length === 0 ? text : `\n\n${text}`,
    // The catalog itself never changes; the text after it may.
    ...(index === 0 && cacheControl !== undefined && { cache_control: cacheControl }),
  }));
  return new SystemMessage({ ...system.lc_kwargs, content: [...base, ...blocks] });
}
