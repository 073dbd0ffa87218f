import { join } from 'node:path';
import { runOutside } from './run-outside.ts';

/**
 * Environment in which every package manager takes packages from where npm is configured to; each has a setting of its own.
 *
 * @param tools the `node_modules` that holds npm
 * @throws {Error} with npm's words, where it fails
 */
export async function registryEnvironment(tools: string, directory: string): Promise<Record<string, string>> {
  const command = ['node', join(tools, 'npm/bin/npm-cli.js'), 'config', 'get', 'registry', '--loglevel=silent'];
  const { ok, output } = await runOutside(command, directory);
  if (!ok) throw new Error(`npm could not tell its registry:\n${output}`);
  const registry = output.trim();
  return {
    npm_config_registry: registry,
    YARN_REGISTRY: registry,
    YARN_NPM_REGISTRY_SERVER: registry.replace(/\/$/, ''),
    // Yarn 4 refuses plain HTTP, as of a registry on the same machine, unless it is told.
    YARN_UNSAFE_HTTP_WHITELIST: new URL(registry).protocol === 'http:' ? new URL(registry).hostname : '',
    BUN_CONFIG_REGISTRY: registry,
    NPM_CONFIG_REGISTRY: registry,
  };
}
