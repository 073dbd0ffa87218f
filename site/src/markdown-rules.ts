import type { MarkdownRenderer } from 'vitepress';
import { homeText } from './home-page.ts';
import { forEachManager } from './package-managers.ts';
import { siteLink } from './repository-links.ts';

/** What the site makes of pages that are written for GitHub: links into the repository, tabs, the first page, the playground. */
export function addMarkdownRules(markdown: MarkdownRenderer): void {
  const { ruler } = markdown.core;
  ruler.before('normalize', 'home', (state) => {
    if (isHome(state.env)) state.src = state.src.replace(/^# .+$/m, () => `${homeText()}\n\n## All pages`);
    state.src = state.src.replace(/^<!-- playground -->$[\s\S]*?^```sh$/m, () => '<SkillPlayground />\n\nOn the command line:\n\n```sh');
  });
  ruler.after('block', 'package-managers', (state) => {
    state.tokens = state.tokens.flatMap((token) => {
      const tabs = token.type === 'fence' && token.info.trim() === 'sh' ? forEachManager(token.content) : null;
      if (tabs === null) return [token];
      const open = new state.Token('container_code-group_open', 'div', 1);
      const close = new state.Token('container_code-group_close', 'div', -1);
      [open.info, open.block, close.block, open.map] = [' code-group', true, true, token.map];
      const blocks = tabs.map(({ name, code }) => {
        const block = new state.Token('fence', 'code', 0);
        [block.info, block.content, block.markup, block.map, block.block] = [`sh [${name}]`, code, token.markup, token.map, true];
        return block;
      });
      return [open, ...blocks, close];
    });
  });
  ruler.after('inline', 'whole-ids', (state) => {
    // An id such as DIS-3 would be broken behind its hyphen.
    for (const [index, { type, content }] of state.tokens.entries())
      if (type === 'inline' && /^[A-Z]{2,4}-\d+$/.test(content)) state.tokens[index - 1]?.attrSet('style', 'white-space: nowrap');
  });
  ruler.after('inline', 'empty-headers', (state) => {
    // The corner of a table has nothing to say, so it is no heading of a column.
    for (const [index, { type, content }] of state.tokens.entries()) {
      const [before, after] = [state.tokens[index - 1], state.tokens[index + 1]];
      if (type === 'inline' && content === '' && before?.type === 'th_open' && after !== undefined) [before.tag, after.tag] = ['td', 'td'];
    }
  });
  ruler.after('inline', 'repository-links', (state) => {
    const page = ((state.env as { relativePath?: string }).relativePath ?? '').replace(/^index\.md$/, 'README.md');
    for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href !== null) token.attrSet('href', siteLink(href, page));
    }
  });
}

function isHome(environment: unknown): boolean {
  const { relativePath } = environment as { relativePath?: string };
  return relativePath === 'index.md' || relativePath === 'README.md';
}
