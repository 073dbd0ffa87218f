import type { CollectedFile, WholeSkill } from './collect-skills.ts';
import { contentLoader, contentModule, importOf, textOf, type BundleChunk } from './content-code.ts';
import { literal, objectLiteral, textLiteral } from './literal.ts';

/** The code of one skill, in UTF-8. */
export interface SkillCode {
  /** Code of a body that is used twice, and so has a name of its own; `null` if there is none. */
  readonly body: Uint8Array | null;
  /** The skill as an object, in parts. Between two of them stands the name of the body. */
  readonly object: readonly Uint8Array[];
  /** Whether a content is no text. */
  readonly hasBytes: boolean;
}

/** Stands for the name of the body. No literal has it: control characters are escaped. */
const bodyName = '\0';

/** Writes one skill. How its body is called is only known when all skills are. */
export function renderSkill({ metadata, body, skillMd, files }: WholeSkill, chunk: BundleChunk | undefined): SkillCode {
  const contents = contentsOf(body, skillMd, chunk);
  const members: (readonly [key: string, code: string])[] = Object.entries(metadata).flatMap(([key, value]) =>
    value === undefined || (key === 'version' && value === null) ? [] : [[key, literal(value, '    ')] as const],
  );
  members.push(['body', contents.bodyCode], ['skillMd', contents.skillMdCode]);
  if (files.length > 0)
    members.push([
      'resources',
      objectLiteral(
        files.map((file) => [file.path, renderFile(file, chunk)] as const),
        '    ',
      ),
    ]);
  return {
    body: contents.shared === null ? null : Buffer.from(contents.shared),
    object: objectLiteral(members, '  ')
      .split(bodyName)
      .map((part) => Buffer.from(part)),
    hasBytes: textOf(skillMd) === null || files.some(({ bytes }) => textOf(bytes) === null),
  };
}

/**
 * The body and the file that it was read from, which mostly holds it as it is: then it is written
 * once.
 */
function contentsOf(
  body: string,
  skillMd: Uint8Array,
  chunk: BundleChunk | undefined,
): { readonly bodyCode: string; readonly skillMdCode: string; readonly shared: string | null } {
  const text = textOf(skillMd);
  const start = text === null || body === '' ? -1 : text.lastIndexOf(body);
  if (text === null || start < 0) {
    return {
      bodyCode: contentLoader(body, chunk, '      '),
      skillMdCode: contentLoader(text ?? skillMd, chunk, '      '),
      shared: null,
    };
  }
  const around = (inner: string): string =>
    [
      textLiteral(text.slice(0, start)),
      inner,
      ...(start + body.length === text.length ? [] : [textLiteral(text.slice(start + body.length))]),
    ].join(' + ');
  if (chunk === undefined) return { bodyCode: bodyName, skillMdCode: `() => ${around(`${bodyName}()`)}`, shared: textLiteral(body) };
  const specifier = chunk(contentModule(body));
  return {
    bodyCode: importOf(specifier, 'module.content()', '      '),
    skillMdCode: importOf(specifier, around('module.content()'), '      '),
    shared: null,
  };
}

function renderFile({ bytes, digest }: CollectedFile, chunk: BundleChunk | undefined): string {
  return objectLiteral(
    [
      ['size', String(bytes.length)],
      ['digest', textLiteral(digest)],
      ['read', contentLoader(textOf(bytes) ?? bytes, chunk, '          ')],
    ],
    '      ',
  );
}
