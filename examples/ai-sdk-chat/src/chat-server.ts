import { fileURLToPath } from 'node:url';
import type { SkillChat } from '@repertoire/adapter-vercel-ai/chat';
import { build } from 'esbuild';
import { Hono } from 'hono';

const page =
  '<!doctype html><meta charset="utf-8"><title>A chat with skills</title><body></body><script type="module" src="/page.js"></script>';

/** The chat and its page. With Next.js, the route is `export const { POST, GET, DELETE } = chat`, and the page is bundled by itself. */
export async function chatServer(chat: SkillChat): Promise<Hono> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../page/page.tsx', import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    // In this repository the server runs from the sources of the packages, and the page with it.
    conditions: process.execArgv.includes('--conditions=@repertoire/source') ? ['@repertoire/source'] : [],
  });
  const app = new Hono();
  app.all('/api/chat', ({ req }) => chat.handle(req.raw));
  app.get('/page.js', ({ body }) => body(outputFiles[0]?.text ?? '', 200, { 'content-type': 'text/javascript; charset=utf-8' }));
  app.get('/', ({ html }) => html(page));
  return app;
}
