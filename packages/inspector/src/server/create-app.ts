import { SkillError } from '@repertoire/skills-core';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { streamSSE } from 'hono/streaming';
import { readSettings, type PromptSettings } from '../prompt/prompt-settings.ts';
import { maxRecordingCharacters } from '../recording/read-recording.ts';
import { objectOf, textOf } from '../recording/json-shape.ts';
import { guard, type GuardOptions } from './guard.ts';
import type { InspectorData } from './inspector-data.ts';
import type { RecordingShelf } from './recording-shelf.ts';
import type { UiAssets } from './ui-assets-shape.ts';

/** What the page is told without asking. */
export type InspectorEvent = { readonly type: 'changed' } | { readonly type: 'progress'; readonly read: number; readonly total: number };

/** What the server serves. */
export interface AppOptions extends GuardOptions {
  readonly data: InspectorData;
  readonly defaults: PromptSettings;
  readonly recordings: RecordingShelf;
  /** The views that are there only if the host has what they show. */
  readonly views: readonly ('approvals' | 'proposals')[];
  readonly assets: UiAssets;
  /** Calls back after each change of the skills, and while they are read. */
  readonly onEvent: (listener: (event: InspectorEvent) => void) => () => void;
}

const secure = { limit: maxRecordingCharacters };

/** The page, and what it asks for. Everything but the page is JSON. */
export function createApp(options: AppOptions): Hono {
  const { data, recordings, assets, defaults, views, onEvent } = options;
  // Its folder ends with a slash, from which the page names what it asks for.
  const app = new Hono({ strict: false });
  app.use(guard(options));
  const site = app.basePath(options.place);
  site.use(
    '/api/*',
    bodyLimit({
      maxSize: secure.limit,
      onError: (context) => context.json({ error: { code: 'limit-exceeded', message: 'This file is too large.' } }, 413),
    }),
  );
  app.onError(answerError);
  app.notFound((context) => context.json({ error: { code: 'not-found', message: 'There is nothing here.' } }, 404));

  site.get('/', (context) => context.html(assets.html));
  site.get('/app.js', (context) => context.body(assets.script, 200, { 'content-type': 'text/javascript; charset=utf-8' }));
  site.get('/app.css', (context) => context.body(assets.style, 200, { 'content-type': 'text/css; charset=utf-8' }));

  const settings = (given: Readonly<Record<string, unknown>>): PromptSettings => readSettings({ ...defaults, ...given });
  const found = (context: Context, value: object | null | undefined) =>
    value === null || value === undefined ? context.notFound() : context.json(value);

  site.get('/api/start', (context) => context.json({ defaults, recordings: recordings.list(), views }));
  site.get('/api/library', async (context) => context.json(await data.library(settings(context.req.query()))));
  site.get('/api/skill', async (context) => found(context, await data.skill(context.req.query('name') ?? '')));
  site.get('/api/file', async (context) =>
    found(context, await data.file(context.req.query('name') ?? '', context.req.query('path') ?? '')),
  );
  site.get('/api/search', async (context) => context.json(await data.search(context.req.query('q') ?? '')));
  site.get('/api/likeness', async (context) => context.json(await data.likeness()));
  site.get('/api/prompt', async (context) => context.json(await data.prompt(settings(context.req.query()))));
  site.get('/api/approvals', async (context) => found(context, await data.approvals()));
  site.get('/api/proposals', async (context) => found(context, await data.proposals()));
  site.get('/api/proposal', async (context) => found(context, await data.proposal(context.req.query('id') ?? '')));
  site.get('/api/recordings', (context) => context.json(recordings.list()));
  site.post('/api/recordings', async (context) =>
    context.json(recordings.add(context.req.query('title') ?? 'Recording', await context.req.text())),
  );

  site.post('/api/recordings/:id/:what{timeline|replay}', async (context) => {
    const recording = recordings.get(context.req.param('id'));
    if (recording === undefined) return context.notFound();
    const body = objectOf(await context.req.json());
    const chosen = settings(objectOf(body['settings']));
    if (context.req.param('what') === 'timeline') return context.json(await data.timeline(recording, chosen));
    const { skill, skillMd } = objectOf(body['overlay']);
    const overlay = skill === undefined ? undefined : { skill: textOf(skill), skillMd: textOf(skillMd) };
    return context.json(await data.replay(recording, chosen, overlay));
  });

  site.get('/api/events', (context) => sendEvents(context, onEvent));
  return app;
}

function answerError(error: Error, context: Context): Response {
  const code = SkillError.isInstance(error) ? error.code : 'unexpected';
  return context.json({ error: { code, message: error.message } }, code === 'invalid-options' ? 400 : 500);
}

function sendEvents(context: Context, onEvent: AppOptions['onEvent']): Response {
  return streamSSE(context, async (stream) => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const stop = onEvent(({ type, ...of }) => void stream.writeSSE({ event: type, data: JSON.stringify(of) }));
    stream.onAbort(resolve);
    await stream.writeSSE({ event: 'ready', data: '{}' });
    await ended;
    stop();
  });
}
