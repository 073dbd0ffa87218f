import { join } from 'node:path';
import { runOutside } from './run-outside.ts';

/**
 * Environment in which every package manager takes packages from where npm is configured to, and trusts whom npm trusts; each has settings of its own.
 *
 * @param tools the `node_modules` that holds npm
 * @throws {Error} with npm's words, where it fails
 */
export async function registryEnvironment(tools: string, directory: string): Promise<Record<string, string>> {
  const settingOfNpm = async (name: string): Promise<string> => {
    const command = ['node', join(tools, 'npm/bin/npm-cli.js'), 'config', 'get', name, '--loglevel=silent'];
    const { ok, output } = await runOutside(command, directory);
    if (!ok) throw new Error(`npm could not tell its ${name}:\n${output}`);
    return output.trim();
  };
  const [registry, authorities] = await Promise.all([settingOfNpm('registry'), settingOfNpm('cafile')]);
  return {
    // Where a company's network signs for itself, npm is told by whom; Yarn 4 has a setting of its own for that, and others ask Node.
    ...(authorities !== 'null' && { YARN_HTTPS_CA_FILE_PATH: authorities, NODE_EXTRA_CA_CERTS: authorities }),
    npm_config_registry: registry,
    YARN_REGISTRY: registry,
    YARN_NPM_REGISTRY_SERVER: registry.replace(/\/$/, ''),
    // Yarn 4 refuses plain HTTP, as of a registry on the same machine, unless it is told.
    YARN_UNSAFE_HTTP_WHITELIST: new URL(registry).protocol === 'http:' ? new URL(registry).hostname : '',
    BUN_CONFIG_REGISTRY: registry,
    NPM_CONFIG_REGISTRY: registry,
  };
}
