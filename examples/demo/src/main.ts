import { parseArgs } from 'node:util';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { createSkillset } from '@repertoire/skills-core';
import { chooseModel, keyNames } from './choose-model.ts';
import { costsOf } from './costs.ts';
import { explainFailure } from './explain-failure.ts';
import { printCatalog, printEvent, printFailure, printHead, printHelp, printRequest, printState } from './print.ts';
import { runDemo, type DemoEvent } from './run-demo.ts';

const defaultRequest = `The page with open tickets got slow after the last release. How do I make its query fast? This is the plan:

  Nested Loop  (cost=0.86..1980.40 rows=9) (actual time=0.04..742.10 rows=61320 loops=1)
    ->  Seq Scan on tickets  (rows=9) (actual rows=61320)  Filter: (state = 'open')
    ->  Index Scan on agents  (rows=1) (actual rows=1 loops=61320)`;

// The reader of the output may stop early: `pnpm demo | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' }, offline: { type: 'boolean' } },
  });
  if (values.help === true) return printHelp(keyNames);
  const show = values.json !== true;
  // `pnpm demo -- "…"` passes the dashes on.
  const request = positionals.filter((word) => word !== '--').join(' ') || defaultRequest;

  const chosen = await chooseModel(process.env, { offline: values.offline === true });
  const provider = fileSystemSkillProvider({ label: 'examples', roots: [new URL('../../skills/', import.meta.url)] });
  const skillset = createSkillset({ provider });
  const skills = await aiSdkSkills(skillset);
  const costs = await costsOf(provider, skills.session.catalog);
  if (show) {
    printHead(chosen, keyNames);
    printCatalog(skills.session.catalog.skills, costs);
    printRequest(request);
  }

  const events: DemoEvent[] = [];
  const state = await runDemo(skills, chosen, request, (event) => {
    events.push(event);
    if (show) printEvent(event);
  });
  const used = events.reduce((sum, event) => sum + ('tokens' in event ? event.tokens : 0), costs.catalog);
  if (show) return printState(state, used, costs);
  const report = {
    model: { name: chosen.name, offline: chosen.offline },
    skills: skills.session.catalog.skills.map(({ name, description }) => ({ name, description })),
    tokens: { ...costs, used },
    request,
    events,
    state,
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
}

try {
  await main();
} catch (error) {
  const { message, hint } = explainFailure(error);
  printFailure(message, hint);
  process.exitCode = 1;
}
