import type { SkillLock } from '@repertoire/skills-core';
import { bundleHeader, scriptHeader } from './bundle-header.ts';
import { contentCode, contentLoader, decodeFunction, type BundleChunk } from './content-code.ts';
import { literal } from './literal.ts';
import type { SkillCode } from './render-skill.ts';

/** How a bundle is written. */
export interface RenderOptions {
  /** TypeScript, or plain JavaScript. */
  readonly language: 'ts' | 'js';
  /** Where the contents of bodies and files went. @default into the bundle itself */
  readonly chunk?: BundleChunk | undefined;
  /** The search index of these skills. @default none */
  readonly searchIndex?: Uint8Array | undefined;
}

const typeImports = `import type { SkillDefinition, SkillLock } from '@repertoire/skills-core';
`;

/**
 * Writes skills as one module for `SkillRegistry`, with each body and file behind a function.
 * The same skills give the same bytes.
 *
 * @returns UTF-8 in parts: one text would take several times the memory
 */
export function renderBundle(
  skills: readonly SkillCode[],
  lock: SkillLock,
  { language, chunk, searchIndex }: RenderOptions,
): readonly Uint8Array[] {
  const typed = language === 'ts';
  const decodes = chunk === undefined && (searchIndex !== undefined || skills.some(({ hasBytes }) => hasBytes));
  const bodies: (string | Uint8Array)[] = [];
  const objects: (string | Uint8Array)[] = [];
  let named = 0;
  for (const { body, object } of skills) {
    const name = `body${named}`;
    if (body !== null) {
      bodies.push(`\nconst ${name}${typed ? ': () => string' : ''} = () => `, body, ';\n');
      named += 1;
    }
    objects.push('  ', ...object.flatMap((part, index) => (index === 0 ? [part] : [name, part])), ',\n');
  }
  const parts: (string | Uint8Array)[] = [
    typed ? bundleHeader : scriptHeader,
    ...(typed ? [typeImports] : []),
    ...bodies,
    `\n/** ${skills.length} ${skills.length === 1 ? 'skill' : 'skills'}: give them to createSkillset({ skills }) or new SkillRegistry({ skills }). */\n`,
    `export const skills${typed ? ': readonly SkillDefinition[]' : ''} = [${skills.length > 0 ? '\n' : ''}`,
    ...objects,
    '];\n',
    '\n/** Digests of these skills, for diffSkillLock: whether this module is what the folders are. */\n',
    `export const lock${typed ? ': SkillLock' : ''} = ${literal(lock)};\n`,
    ...(searchIndex === undefined ? [] : [renderSearchIndex(searchIndex, typed, chunk)]),
    ...(decodes ? [`\n${decodeFunction(typed)}`] : []),
  ];
  return parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
}

/** The types of a bundle in plain JavaScript. */
export function renderBundleTypes(hasSearchIndex: boolean): string {
  return `${bundleHeader}${typeImports}
export declare const skills: readonly SkillDefinition[];
export declare const lock: SkillLock;
${hasSearchIndex ? 'export declare const searchIndex: () => Promise<Uint8Array>;\n' : ''}`;
}

function renderSearchIndex(searchIndex: Uint8Array, typed: boolean, chunk: BundleChunk | undefined): string {
  const code = chunk === undefined ? `async () => ${contentCode(searchIndex)}` : contentLoader(searchIndex, chunk, '  ');
  return `\n/** The search index of these skills: give it to createSkillSearch(provider, { index: searchIndex }). */\nexport const searchIndex${typed ? ': () => Promise<Uint8Array>' : ''} = ${code};\n`;
}
