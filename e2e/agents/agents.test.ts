import { describe, expect, it } from 'vitest';
import { outcomeOf, skillNames, type AgentOutcome } from './conversation.ts';
import { frameworksPage } from './frameworks-page.ts';
import { adkHost } from './hosts/adk.ts';
import { aiSdkHost, cloudflareHost } from './hosts/ai-sdk.ts';
import { deepAgentsHost, langChainHost } from './hosts/langchain.ts';
import { mastraAgentHost, mastraWorkspaceHost } from './hosts/mastra.ts';
import { openAiAgentsHost, openAiSandboxHost } from './hosts/openai-agents.ts';
import { tanstackHost } from './hosts/tanstack.ts';

const hosts = [
  aiSdkHost,
  langChainHost,
  openAiAgentsHost,
  mastraWorkspaceHost,
  mastraAgentHost,
  cloudflareHost,
  deepAgentsHost,
  tanstackHost,
  adkHost,
  openAiSandboxHost,
];

describe('one library, every agent', () => {
  const outcomes: AgentOutcome[] = [];

  it.each(hosts)('BRG-1, BRG-5: the same skills and the same conversation on $framework, $by', async (host) => {
    const outcome = await outcomeOf(host);
    outcomes.push(outcome);
    const isAdapter = host.by === 'adapter';
    expect(outcome).toMatchObject({
      listed: host.hasCatalog === false ? 0 : skillNames.length,
      gotBody: true,
      gotFile: true,
      // A gate holds where the library is the runtime. Behind a bridge nothing holds it, and that is told.
      earlyRefund: isAdapter ? 'refused' : 'paid',
      lateRefund: 'paid',
      isTold: !isAdapter,
    });
  });

  it('BRG-5: the reference is what was measured; `vitest --update` writes it', async () => {
    expect(outcomes).toHaveLength(hosts.length);
    await expect(frameworksPage(outcomes)).toMatchFileSnapshot('../../docs/reference/frameworks.md');
  });
});
