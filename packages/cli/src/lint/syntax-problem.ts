/** Where a script cannot be parsed, and why. */
export interface SyntaxProblem {
  readonly at: number;
  /** In the words of the parser, without a full stop. */
  readonly message: string;
}

/** Longer scripts are data or bundles, and would take too long. */
const maxLength = 256 * 1024;
/** Nested deeper, no person wrote it, and a parser that calls itself runs out of stack. */
const maxDepth = 200;

/**
 * Parses a script without running it: Python by the parser of Ruff, shell by unbash, JavaScript by
 * acorn. `null` for what can be parsed, and for other languages.
 */
export async function syntaxProblem(file: string, text: string): Promise<SyntaxProblem | null> {
  if (!/\.(?:py|sh|bash|[cm]?js|json)$/.test(file) || text.length > maxLength || isDeep(text)) return null;
  const firstLine = text.slice(0, 200).split('\n', 1)[0] ?? '';
  if (file.endsWith('.py')) return await problemInPython(text, firstLine);
  if (/\.(?:sh|bash)$/.test(file) && !/\b(?:zsh|fish|ksh|csh|python\d?|node)\b/.test(firstLine)) return await problemInShell(text);
  if (file.endsWith('.json')) return problemInJson(text);
  if (/\.[cm]?js$/.test(file)) return await problemInJavaScript(file, text);
  return null;
}

async function problemInPython(text: string, firstLine: string): Promise<SyntaxProblem | null> {
  // What names Python 2 is not what the parser reads.
  if (/python2/.test(firstLine)) return null;
  const { format } = await import('@wasm-fmt/ruff_fmt');
  try {
    format(text, 'script.py');
    return null;
  } catch (thrown) {
    // Anything but a message is a fault of the parser.
    const found = typeof thrown === 'string' ? /^(.{1,300}?) at byte range (\d{1,9})\.\.\d{1,9}$/s.exec(thrown) : null;
    if (found === null) return null;
    const before = new TextEncoder().encode(text).subarray(0, Number(found[2]));
    return { at: new TextDecoder().decode(before).length, message: found[1] ?? '' };
  }
}

async function problemInShell(text: string): Promise<SyntaxProblem | null> {
  const { parse } = await import('unbash');
  const [first] = parse(text).errors ?? [];
  return first === undefined ? null : { at: first.pos, message: first.message };
}

/** Comments are of JSON with comments, and marks of templates are filled in later. */
function problemInJson(text: string): SyntaxProblem | null {
  if (text.trim() === '' || /^[ \t]*\/[/*]|\s\/\/\s|\{\{|\$\{|<[A-Z_]{2,}>|\.{3}/m.test(text)) return null;
  try {
    JSON.parse(text);
    return null;
  } catch (thrown) {
    // recheck: one message of an error.
    const message = (thrown as Error).message.replace(/\s(?:in JSON )?at position.*$|, "[\s\S]*$/, '');
    return { at: Number(/position (\d{1,9})/.exec((thrown as Error).message)?.[1] ?? 0), message };
  }
}

async function problemInJavaScript(file: string, text: string): Promise<SyntaxProblem | null> {
  // JSX and types are other languages, whatever the file is named.
  if (/^import type\b|<\/[A-Za-z]/m.test(text)) return null;
  const { parse } = await import('acorn');
  const problems: SyntaxProblem[] = [];
  for (const sourceType of file.endsWith('.cjs') ? (['script'] as const) : (['module', 'script'] as const)) {
    try {
      parse(text, {
        ecmaVersion: 'latest',
        sourceType,
        allowHashBang: true,
        allowAwaitOutsideFunction: true,
        allowReturnOutsideFunction: true,
        allowImportExportEverywhere: true,
      });
      return null;
    } catch (thrown) {
      if (!(thrown instanceof SyntaxError)) return null;
      const { pos } = thrown as SyntaxError & { readonly pos?: number };
      problems.push({ at: pos ?? 0, message: thrown.message.replace(/\s\(\d+:\d+\)$/, '') });
    }
  }
  return problems[0] ?? null;
}

function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Brackets: ( [ { and ) ] }.
    if (code === 40 || code === 91 || code === 123) depth += 1;
    else if (code === 41 || code === 93 || code === 125) depth = Math.max(0, depth - 1);
    if (depth > maxDepth) return true;
  }
  return false;
}
