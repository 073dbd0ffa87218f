import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type HeadConfig } from 'vitepress';
import { anchorOf } from '../src/anchor-of.ts';
import { homeFacts } from '../src/home-page.ts';
import { addMarkdownRules } from '../src/markdown-rules.ts';
import { apiSidebar, sidebarOf } from '../src/navigation.ts';
import { repositoryUrl } from '../src/repository-links.ts';
import { hasHistory, lastCommit, packageVersion, siteBase, siteUrl } from '../src/site-address.ts';
import { pagesImportFromHere, searchInDevelopment, writeSearchFiles } from '../src/site-plugins.ts';
import { summary, writeTextFiles } from '../src/text-files.ts';

const docs = join(import.meta.dirname, '../../docs');
const apiPages = globSync('**/*.md', { cwd: join(docs, 'api') }).map((path) => path.replace(/\.md$/, ''));

export default defineConfig({
  title: 'Repertoire',
  description: summary,
  lang: 'en',
  base: siteBase,
  srcDir: '../docs',
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  lastUpdated: hasHistory,
  sitemap: { hostname: siteUrl },
  transformPageData(page) {
    if (page.relativePath === 'index.md') page.frontmatter = { ...page.frontmatter, ...home };
    // The field and what becomes of it need the width.
    if (page.relativePath === 'guide/playground.md') Object.assign(page.frontmatter, { pageClass: 'playground-page', aside: false });
    if (page.relativePath.startsWith('api/')) page.frontmatter['editLink'] = false;
  },
  transformHead: ({ pageData, title, description }) => cardOf(pageData.relativePath, title, description),
  async buildEnd({ outDir }) {
    writeTextFiles(outDir);
    await writeSearchFiles(outDir);
  },
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon())}` }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: anchorOf },
    config: addMarkdownRules,
  },
  vite: {
    plugins: [pagesImportFromHere(), searchInDevelopment()],
    resolve: {
      conditions: ['@repertoire/source'],
      alias: [
        // The rules of lint join paths; a browser has no module for that.
        { find: 'node:path', replacement: createRequire(import.meta.url).resolve('path-browserify') },
        // Nor has it files, and a SKILL.md alone has no scripts to parse.
        {
          find: /^(?:node:fs|@wasm-fmt\/ruff_fmt|unbash|acorn)$/,
          replacement: fileURLToPath(new URL('../src/nothing-beside.ts', import.meta.url)),
        },
        { find: /^.*\/VPNavBarSearch\.vue$/, replacement: fileURLToPath(new URL('./theme/search-box.vue', import.meta.url)) },
      ],
    },
    server: { fs: { allow: [join(import.meta.dirname, '../..')] } },
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/guide/getting-started' },
      { text: 'Concepts', link: '/concepts' },
      { text: 'Gates', link: '/guide/gating' },
      { text: 'Benchmarks', link: '/benchmarks' },
      { text: 'Playground', link: '/guide/playground' },
      { text: 'API', link: '/api/', activeMatch: '/api/' },
      { text: `Version ${packageVersion}`, link: '/reference/stability' },
    ],
    sidebar: { '/api/': apiSidebar(apiPages), '/': sidebarOf() },
    outline: { level: [2, 3] },
    socialLinks: [{ icon: 'github', link: repositoryUrl }],
    editLink: { pattern: `${repositoryUrl}/edit/main/docs/:path`, text: 'Edit this page' },
    lastUpdated: { text: 'Changed', formatOptions: { dateStyle: 'long' } },
    footer: {
      message: 'MIT license',
      copyright: `Version ${packageVersion}${lastCommit === null ? '' : `, as of commit ${lastCommit.hash} of ${lastCommit.day}`}`,
    },
  },
});

const home = {
  layout: 'HomePage',
  pageClass: 'home-layout',
  sidebar: false,
  aside: false,
  facts: homeFacts(),
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

/** What a message with a link to a page shows of it. */
function cardOf(path: string, title: string, description: string): HeadConfig[] {
  const page = path.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '');
  const properties = {
    'og:type': 'website',
    'og:site_name': 'Repertoire',
    'og:title': title,
    'og:description': description,
    'og:url': siteUrl + page,
    'og:image': `${siteUrl}social-card.png`,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': 'Repertoire: skills for TypeScript agents',
  };
  return [
    ['link', { rel: 'canonical', href: siteUrl + page }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
    ...Object.entries(properties).map(([property, content]): HeadConfig => ['meta', { property, content }]),
  ];
}

function icon(): string {
  return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3451b2"/><path d="M11 25V7h6a5 5 0 0 1 0 10h-6m6 0 5 8" fill="none" stroke="#fff" stroke-width="3.4"/></svg>';
}
