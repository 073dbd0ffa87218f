import { delimiter, join } from 'node:path';
import { repositoryRoot } from './workspace.ts';

/** What wrangler is run with, besides the environment of this process: our sources instead of what was built, our own commands, and nothing that phones home. */
export const wranglerEnvironment: Readonly<Record<string, string>> = {
  // First the command `repertoire` of the sources, which a `build.command` may run.
  PATH: [join(repositoryRoot, 'e2e/bin'), join(repositoryRoot, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
  WRANGLER_BUILD_CONDITIONS: '@repertoire/source,workerd,worker,browser',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  CI: 'true',
};
