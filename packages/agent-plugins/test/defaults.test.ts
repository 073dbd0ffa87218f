import { testDefaults } from '../../../test/support/options-laws.ts';
import { pluginSettings } from '../src/provider/plugin-provider-options.ts';
import { pluginServersSettings } from '../src/servers/plugin-servers-options.ts';

const given = { onEvent: () => {}, now: () => 0 };
testDefaults('PLG-1: pluginProvider', 'agent-plugins', 'PluginProviderOptions', (options) =>
  pluginSettings({ roots: [], ...given, ...options }),
);
testDefaults('PLG-4: pluginServers', 'agent-plugins', 'PluginServersOptions', (options) =>
  pluginServersSettings({ allow: [], onEvent: given.onEvent, ...options }),
);
