import { testDefaults } from '../../../test/support/options-laws.ts';
import { httpSkillSettings } from '../src/provider/http-skill-provider-options.ts';
import { publishSettings } from '../src/server/publish-options.ts';

const given = { url: 'https://skills.example', fetch: async () => new Response(), waitUntil: () => {} };
const select = (): boolean => true;
testDefaults('SRC-4: httpSkillProvider', 'skill-http', 'HttpSkillProviderOptions', (options) =>
  httpSkillSettings({ ...given, ...options }),
);
testDefaults('SRC-5: createSkillsHandler', 'skill-http', 'PublishOptions', (options) =>
  publishSettings({ select, ...options }, 'createSkillsHandler', false),
);
