import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { anchorOf } from '../src/anchor-of.ts';
import { homeText } from '../src/home-page.ts';
import { apiSidebar, sidebarOf } from '../src/navigation.ts';
import { repositoryUrl, siteLink } from '../src/repository-links.ts';
import { pagesImportFromHere, searchInDevelopment, writeSearchFiles } from '../src/site-plugins.ts';

const docs = join(import.meta.dirname, '../../docs');
const apiPages = globSync('**/*.md', { cwd: join(docs, 'api') }).map((path) => path.replace(/\.md$/, ''));

export default defineConfig({
  title: 'Repertoire',
  description: 'Skills for TypeScript agents: the open Agent Skills format, in any framework, from any source.',
  lang: 'en',
  base: process.env['SITE_BASE'] ?? '/',
  srcDir: '../docs',
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  // Times of commits would need the whole history wherever the site is built.
  lastUpdated: false,
  transformPageData(page) {
    if (page.relativePath === 'index.md') page.frontmatter = { ...page.frontmatter, ...home };
    if (page.relativePath.startsWith('api/')) page.frontmatter['editLink'] = false;
  },
  buildEnd: async ({ outDir }) => await writeSearchFiles(outDir),
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon())}` }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    anchor: { slugify: anchorOf },
    config(markdown) {
      markdown.core.ruler.before('normalize', 'home', (state) => {
        if (isHome(state.env)) state.src = state.src.replace(/^# .+$/m, `${homeText()}\n\n## All pages`);
      });
      markdown.core.ruler.after('inline', 'whole-ids', (state) => {
        // An id such as DIS-3 would be broken behind its hyphen.
        for (const [index, { type, content }] of state.tokens.entries())
          if (type === 'inline' && /^[A-Z]{2,4}-\d+$/.test(content)) state.tokens[index - 1]?.attrSet('style', 'white-space: nowrap');
      });
      markdown.core.ruler.after('inline', 'repository-links', (state) => {
        const page = ((state.env as { relativePath?: string }).relativePath ?? '').replace(/^index\.md$/, 'README.md');
        for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null;
          if (href !== null) token.attrSet('href', siteLink(href, page));
        }
      });
    },
  },
  vite: {
    plugins: [pagesImportFromHere(), searchInDevelopment()],
    resolve: {
      conditions: ['@repertoire/source'],
      alias: [{ find: /^.*\/VPNavBarSearch\.vue$/, replacement: fileURLToPath(new URL('./theme/search-box.vue', import.meta.url)) }],
    },
    server: { fs: { allow: [join(import.meta.dirname, '../..')] } },
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/guide/getting-started' },
      { text: 'Concepts', link: '/concepts' },
      { text: 'Recipes', link: '/guide/recipes' },
      { text: 'Benchmarks', link: '/benchmarks' },
      { text: 'API', link: '/api/', activeMatch: '/api/' },
    ],
    sidebar: { '/api/': apiSidebar(apiPages), '/': sidebarOf() },
    outline: { level: [2, 3] },
    socialLinks: [{ icon: 'github', link: repositoryUrl }],
    editLink: { pattern: `${repositoryUrl}/edit/main/docs/:path`, text: 'Edit this page' },
    footer: { message: 'MIT license' },
  },
});

const home = {
  layout: 'home',
  hero: {
    name: 'Repertoire',
    text: 'Skills for TypeScript agents',
    tagline:
      'Folders of instructions, references and tools in the open Agent Skills format. An agent finds them by a one-line description, and loads them when a task needs them.',
    actions: [
      { theme: 'brand', text: 'Getting started', link: '/guide/getting-started' },
      { theme: 'alt', text: 'Concepts', link: '/concepts' },
      { theme: 'alt', text: 'Recipes', link: '/guide/recipes' },
    ],
  },
  features: [
    {
      title: 'Any framework',
      details: 'Vercel AI SDK, OpenAI Agents SDK, LangChain and LangGraph.js, or a loop of your own.',
      link: '/adapters/vercel-ai',
    },
    { title: 'Any source', details: 'Folders, the web, MCP servers, object storage, and skills in code.', link: '/guide/many-sources' },
    {
      title: 'Closed unless opened',
      details: 'A gated tool refuses until a trusted skill that names it is loaded.',
      link: '/guide/gating',
    },
    {
      title: 'Nothing to lose',
      details: 'What is loaded is a function of the conversation. Servers need no memory.',
      link: '/reference/state',
    },
    { title: 'Large libraries', details: 'A budget for the catalog, and search by words and by meaning.', link: '/guide/search' },
    {
      title: 'Workers too',
      details: 'The same bytes reach the model on Node.js and on Cloudflare Workers.',
      link: '/guide/cloudflare-workers',
    },
  ],
};

function isHome(environment: unknown): boolean {
  const { relativePath } = environment as { relativePath?: string };
  return relativePath === 'index.md' || relativePath === 'README.md';
}

function icon(): string {
  return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3451b2"/><path d="M11 25V7h6a5 5 0 0 1 0 10h-6m6 0 5 8" fill="none" stroke="#fff" stroke-width="3.4"/></svg>';
}
