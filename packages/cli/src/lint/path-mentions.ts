import { linesOf, type MarkdownLine } from './markdown/lines-of.ts';
import { nearName } from './near-name.ts';
import { positionAt } from './positions.ts';

/** A path of the skill in code or prose, where it is surely meant as one of its files. */
export interface PathMention {
  readonly target: string;
  readonly inside: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

const longest = 2_000;
/** Folders by which the standard names parts of a skill. */
const form =
  // recheck: each part is bounded, and it starts at a fixed word.
  /(?<![\w/.\\$~>})\]*-])(\.\/|@(?=(?:references|scripts|assets)\/)|\$\{?[A-Z_]{0,20}SKILL[A-Z_]{0,20}\}?\/|\{(?:baseDir|skillDir|skill_dir|SKILL_DIR|skill_path)\}\/|<(?:skill-dir|skill_dir|skill-root|skill_root|skill-path)>\/)?((references|reference|scripts|assets|templates|examples|resources|workflows|rules|agents|docs|prompts)\/[\w./@+-]{1,200}\.[A-Za-z0-9]{1,10})(?![\w/*{<[$-]|\.\w)/g;
/** Lines that may have one. It begins with a rare character, so that the engine skips most text. */
const hint =
  // recheck: it starts with a fixed character, and what stands before it is bounded.
  /\/(?<=(?:references?|scripts|assets|templates|examples|resources|workflows|rules|agents|docs|prompts)\/)[\w.@+-]/g;
/**
 * Words that ask an agent to use a file, in the same sentence. The end of another path is no such
 * word, and the point in a name of a file ends no sentence.
 */
const uses =
  // recheck: it looks at 160 characters.
  /(?<![./])\b(?:reads?|reading|see|open|load(?:ed)?|consult|refer(?:ence)?s?(?:\sto)?|follow|check|review|run|running|execute|invoke|call|start|use|using|via|with|per|from|in|details|documented|described|defined|template|examples?|guide|checklist|python3?|bash|sh|node|uv|npx|tsx|bun|deno|ruby|perl|pwsh)\b(?:[^.;!?]|\.(?=\w)){0,80}$/i;
/** What an agent makes, or what others have. */
const makes =
  /\b(?:creat(?:e|es|ed|ing)|writ(?:e|es|ing|ten)|generat(?:e|es|ed|ing)|sav(?:e|es|ed|ing)|add(?:s|ed|ing)?|output|produc(?:e|es|ing)|scaffold|seed(?:s|ed)?|put|mov(?:e|es|ing)|copy|copies|copied|renam(?:e|ed)|delete|remove|e\.g\.|for\sexample|such\sas|like|instead\sof|not|never|should|would|could|might|your|their|its\sown|project|repo(?:sitory)?|if\s(?:it\s|they\s|present|there|available|needed)|optional(?:ly)?|exists?|any|either|new|other|another)\b/i;
/** Said of a file of somebody else: `references/x.md` of the billing skill. */
const ofOthers =
  // recheck: it looks at 80 characters.
  /^[`"'*)\s]{0,4}(?:\(?(?:of|from|in|inside|within|under|at)\s(?:[\w`'-]{1,30}\s){0,4}`?(?:skills?|plugins?|project|repo(?:sitory)?|workspace|app|package|codebase|monorepo)\b|\((?:project|repo|generated|created|user|optional))/i;
const madeUp =
  /(?:^|[/_.-])(?:foo|bar|baz|my|your|xxx?|example|sample|name|topic|file|filename|something|some|slug|nnn|todo|placeholder)(?:[/_.-]|$)/i;
/** Words right before a path that say who makes it: `save it to references/notes.md`. */
const making =
  // recheck: it looks at 160 characters, and the words in between are few.
  /\b(?:creat(?:e|es|ed|ing)|writ(?:e|es|ing|ten)|generat(?:e|es|ed|ing)|sav(?:e|es|ed|ing)|outputs?|produc(?:e|es|ing)|scaffolds?|touch|mkdir)\s(?:(?:-p|a|an|the|it|this|them|all|new|files?|your|results?|reports?|outputs?|content|to|in|into|as|at|called|named)\s){0,5}[`"'*(]{0,3}(?:\.\/)?$/i;
/** A folder right before a path that is not the one of a skill: `repo/scripts/build.sh`. */
const elsewhere =
  // recheck: it looks at 160 characters.
  /(?<![\w/.~-])(?!(?:\S{0,80}\/)?[.\w-]{0,40}skills?\/)([\w.-]{2,40})\/$/i;
const programs =
  /^(?:\$\s|>\s)?(?:[A-Z_]+=\S+\s)*(?:sudo\s|time\s)?(?:(?:python3?|bash|sh|zsh|node|uv|npx|tsx|bun|deno|ruby|perl|pwsh|source|cat)\b[^\n;|&]{0,60})?$/;
const shells: ReadonlySet<string> = new Set(['', 'bash', 'sh', 'shell', 'zsh', 'console', 'text']);

/**
 * Finds paths such as `references/rules.md` that the text around them says are to be used.
 * Most such words in published skills are no files of the skill.
 *
 * @param name of the skill: its folder may be named before a path
 * @param folders folders that the skill has
 * @param exists whether the skill has a file: then there is nothing to say
 */
export function pathMentions(body: string, name: string, folders: ReadonlySet<string>, exists: (path: string) => boolean): PathMention[] {
  const found = new Map<string, PathMention>();
  let fences: ReadonlyMap<number, MarkdownLine> | null = null;
  let [number, start, seen] = [1, 0, -1];
  for (const { index: at } of body.matchAll(hint)) {
    if (at < seen) continue;
    for (let next = body.indexOf('\n', start); next !== -1 && next < at; next = body.indexOf('\n', start))
      [number, start] = [number + 1, next + 1];
    const end = body.indexOf('\n', at);
    seen = end === -1 ? body.length : end;
    const text = body.slice(start, seen);
    if (text.length > longest || /[├└│┬]|--\s?#/.test(text)) continue;
    for (const { index, 0: whole, 1: prefix = '', 2: target = '', 3: folder = '' } of text.matchAll(form)) {
      if (found.has(target) || exists(target) || madeUp.test(target) || target.includes('..') || target.includes('//')) continue;
      // Most bodies name only what is there, and then nobody has to know what is code.
      fences ??= new Map(linesOf(body).map((each) => [each.number, each]));
      const line = fences.get(number);
      if (line === undefined || !isMeant(line, index, whole.length, folder, prefix !== '' && prefix !== './', folders)) continue;
      if (isMadeElsewhere(body, target, name)) continue;
      found.set(target, { target: whole, inside: target, line: number, column: index + 1 });
    }
  }
  for (const slip of misspeltFolders(body, folders, exists)) if (!found.has(slip.target)) found.set(slip.target, slip);
  return [...found.values()];
}

/**
 * Any path of two parts or more, with an ending. It begins with a rare character, as the hint does.
 */
const anyPath =
  // recheck: it starts with a fixed character, and each part is bounded.
  /\/(?<=(?<![\w/.@:~$-])([\w-]{3,30})\/)([\w./-]{1,200}\.\w{1,10})(?![\w/])/g;

/**
 * Paths that are right but for a slip in the folder: `scipts/weigh.py`, and the file is in
 * `scripts`.
 */
function misspeltFolders(body: string, folders: ReadonlySet<string>, exists: (path: string) => boolean): PathMention[] {
  const known = [...folders].filter((folder) => folder.length >= 4 && !folder.includes('.'));
  if (known.length === 0) return [];
  return Array.from(body.matchAll(anyPath)).flatMap(({ index, 1: folder = '', 2: rest = '' }) => {
    const target = `${folder}/${rest}`;
    if (folders.has(folder) || exists(target)) return [];
    const near = nearName(folder, known, 1);
    // `reference` and `references` differ by more than a slip where both are meant.
    if (near === null || !exists(`${near}/${rest}`)) return [];
    return [{ target, inside: target, ...positionAt(body, index - folder.length) }];
  });
}

function isMeant(
  { text, fence }: MarkdownLine,
  at: number,
  length: number,
  folder: string,
  isAnchored: boolean,
  folders: ReadonlySet<string>,
): boolean {
  const before = text.slice(Math.max(0, at - 160), at);
  const after = text.slice(at + length, at + length + 80);
  if (/^\s{0,8}(?:[-*+]\s)?\*{0,2}(?:examples?|for example|e\.g\.)\b/i.test(text)) return false;
  // The target of a link, and its text: links are looked at on their own.
  if (before.endsWith('](') || /^[^[\n]{0,80}\]\(/.test(after)) return false;
  if (ofOthers.test(after)) return false;
  if (isAnchored) return !makes.test(before);
  const isOwn = /^references?$/.test(folder) || folders.has(folder);
  if (!isOwn && !/^(?:scripts|assets)$/.test(folder)) return false;
  if (fence !== null) return shells.has(fence) && programs.test(before.trimStart()) && (isOwn || folder === 'scripts');
  // recheck: it looks at 80 characters.
  if (makes.test(before) || /^[^.]{0,40}\b(?:exists?|if present|in your|in the (?:project|repo))/i.test(after)) return false;
  return uses.test(before);
}

/** Whether another line says that the file is made, or that somebody else has it. */
function isMadeElsewhere(body: string, target: string, name: string): boolean {
  for (let at = body.indexOf(target), looked = 0; at !== -1 && looked < 20; at = body.indexOf(target, at + 1), looked += 1) {
    const line = body.slice(Math.max(body.lastIndexOf('\n', at) + 1, at - 160), at);
    const after = body.slice(at + target.length, at + target.length + 80);
    const above = elsewhere.exec(line)?.[1] ?? name;
    if (making.test(line) || above !== name || ofOthers.test(after) || /(?:>>?|--?o(?:ut(?:put)?)?[ =]|tee )\s?["'`]?(?:\.\/)?$/.test(line))
      return true;
  }
  return false;
}
