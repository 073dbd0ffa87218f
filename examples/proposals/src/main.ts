import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runStory, type StoryEvent } from './run-story.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'repertoire-proposals-'));
const events: StoryEvent[] = [];
try {
  await runStory(folder, (event) => {
    events.push(event);
    process.stdout.write(`${lineOf(event)}\n`);
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}

const answers = events.flatMap((event) => (event.type === 'answered' ? [event] : []));
const [tuesday, wednesday] = ['tuesday', 'wednesday'].map((day) => answers.find(({ conversation }) => conversation === day)?.used);
// Nobody sees a proposal before a person accepts it, and the next conversation has it.
if (tuesday !== null || wednesday !== 'load_skill') {
  process.stderr.write(`The story went another way: ${JSON.stringify({ tuesday, wednesday })}\n`);
  process.exitCode = 1;
}

function lineOf(event: StoryEvent): string {
  switch (event.type) {
    case 'answered':
      return `${event.conversation}: ${event.request}\n  ${event.used === null ? '' : `[${event.used}] `}${event.answer}`;
    case 'waits':
      return `It waits for a person: ${event.ids.join(', ')}`;
    case 'checked':
      return `repertoire proposals check: ${event.code === 0 ? 'no error' : 'errors'}; it would newly allow ${event.allows} things; ${event.tokens.after} tokens`;
    case 'reviewed':
      return `Ada (scripted): ${event.decision}`;
  }
}
