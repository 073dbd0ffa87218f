import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { SkillError, type SkillLock, type SkillProvider } from '@repertoire/skills-core';
import { uiAssets } from '#ui-assets';
import type { InspectedApprovals } from '../review/read-approvals.ts';
import type { InspectedProposals } from '../review/read-proposals.ts';
import type { SignatureOptions } from '../library/read-signature.ts';
import type { PromptSettings } from '../prompt/prompt-settings.ts';
import { createApp, type InspectorEvent } from './create-app.ts';
import { inspectorData } from './inspector-data.ts';
import { recordingShelf, type RecordingFile } from './recording-shelf.ts';

/** Options of {@link startInspector}. */
export interface InspectorOptions extends SignatureOptions {
  /** Where the skills come from. It is not disposed of. */
  readonly provider: SkillProvider;
  /** What the page calls the library. @default the label of the provider */
  readonly title?: string | undefined;
  /** Holds the skills to these bytes. @default they are shown as they are */
  readonly lock?: SkillLock | undefined;
  /** Conversations for the time machine. @default none; the page opens files too */
  readonly recordings?: readonly RecordingFile[] | undefined;
  /** What people approved: the store of the application. @default there is no view of approvals */
  readonly approvals?: InspectedApprovals | undefined;
  /** What agents proposed. @default there is no view of proposals */
  readonly proposals?: InspectedProposals | undefined;
  /** What the page begins with. */
  readonly settings?: Partial<PromptSettings> | undefined;
  /** The port. @default a free one */
  readonly port?: number | undefined;
}

/** An inspector that runs. */
export interface RunningInspector extends AsyncDisposable {
  /** The address to open, with its token. Whoever has it sees the skills and the recordings. */
  readonly url: string;
}

/** The options that a report takes, too. */
export const sharedOptions: OptionRules<Omit<InspectorOptions, 'port' | 'approvals' | 'proposals'>> = {
  provider: '{}',
  title: 'string',
  lock: '{}',
  recordings: '[]',
  settings: '{}',
  roots: 'string[]',
  publicKeys: 'string[]',
};

const knownOptions: OptionRules<InspectorOptions> = { ...sharedOptions, port: 'number', approvals: '{}', proposals: '{}' };

/**
 * Serves the inspector on this machine: a page that shows a library, the prompts that are made of
 * it, and recorded conversations. It listens on 127.0.0.1 alone, and answers only who has the token
 * of the address.
 *
 * @throws {SkillError} `source-unavailable` where the port is taken; `invalid-options` for a
 *   setting or a recording that cannot be used
 * @example
 * ```ts
 * import { startInspector } from '@repertoire/inspector';
 * import { fileSystemSkillProvider } from '@repertoire/skill-fs';
 *
 * await using provider = fileSystemSkillProvider({ roots: ['./skills'] });
 * await using inspector = await startInspector({ provider });
 * console.log(`Open ${inspector.url}`);
 * ```
 */
export async function startInspector(options: InspectorOptions): Promise<RunningInspector> {
  assertKnownOptions('startInspector', options, knownOptions);
  const recordings = recordingShelf(options.recordings);
  const ended = new AbortController();
  const listeners = new Set<(event: InspectorEvent) => void>();
  const tell = (event: InspectorEvent): void => {
    for (const listener of listeners) listener(event);
  };
  let progress: InspectorEvent = { type: 'progress', read: 0, total: 0 };
  const onProgress = (read: number, total: number): void => {
    progress = { type: 'progress', read, total };
    // A page draws no more than this.
    if (read === total || read % Math.ceil(total / 100) === 0) tell(progress);
  };
  const data = inspectorData({ ...options, signal: ended.signal, onProgress });
  const { provider, defaults } = data;
  const stopWatching = provider.watch?.(() => {
    data.refresh();
    tell({ type: 'changed' });
  });
  const [token, session, place] = [24, 24, 12].map((size) => randomBytes(size).toString('base64url')) as [string, string, string];
  let origin = 'http://127.0.0.1';
  const app = createApp({
    data,
    defaults,
    recordings,
    views: (['approvals', 'proposals'] as const).filter((view) => options[view] !== undefined),
    assets: await uiAssets(),
    token,
    session,
    place: `/${place}`,
    origin: () => origin,
    onEvent(listener) {
      listeners.add(listener);
      listener(progress);
      return () => listeners.delete(listener);
    },
  });
  const server = await listen(app.fetch, options.port ?? 0);
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  // Reads ahead. Errors are reported when the page asks again.
  data.library(defaults).catch(() => undefined);
  return {
    url: `${origin}/?token=${token}`,
    async [Symbol.asyncDispose]() {
      stopWatching?.();
      ended.abort(new SkillError('source-unavailable', 'The inspector was stopped.'));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(fetch: (request: Request) => Response | Promise<Response>, port: number): Promise<Server> {
  return await new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname: '127.0.0.1', port, overrideGlobalObjects: false }, () => resolve(server as Server));
    server.once('error', (cause: Error) =>
      reject(new SkillError('source-unavailable', `Nothing can listen at port ${port}: ${cause.message}. Give another port.`, { cause })),
    );
  });
}
