import { AsyncLocalStorage } from 'node:async_hooks';
import { DurableObject } from 'cloudflare:workers';
import { HumanMessage } from '@langchain/core/messages';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { Command } from '@langchain/langgraph';
import { loadedSkills } from '@repertoire/adapter-langchain/langgraph';
import { chooseModel } from './choose-model.ts';
import { deskGraph, type DeskGraph, type DeskState } from './desk-graph.ts';
import { deskTools, type Question } from './desk-tools.ts';
import { DurableObjectSaver } from './durable-object-saver.ts';
import type { Environment } from './environment.ts';

// In builds for Workers LangGraph brings none, and `interrupt` finds its run in it. It needs the flag `nodejs_als`, which gives this module and no other.
AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new AsyncLocalStorage());

/** How a conversation stands. `stopped`: its run was cut off, by a crash or an error, and can go on. */
export interface Standing {
  readonly status: 'idle' | 'running' | 'waiting' | 'stopped';
  /** What somebody is asked, where it is waiting. */
  readonly question?: Question;
  /** Names of the loaded skills. */
  readonly loaded: readonly string[];
  readonly messages: readonly { readonly type: string; readonly text: string }[];
  /** What the tools have done, in order. */
  readonly journal: readonly string[];
}

/** One conversation. All of it is in the object's own SQLite: it may be put to sleep, moved or killed at any time. */
export class Conversation extends DurableObject<Environment> {
  readonly #sql = this.ctx.storage.sql;
  readonly #graph: DeskGraph;
  #busy = false;

  constructor(ctx: DurableObjectState, env: Environment) {
    super(ctx, env);
    this.#sql.exec('CREATE TABLE IF NOT EXISTS journal (call TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (call, entry))');
    this.#graph = deskGraph({
      model: chooseModel(env),
      tools: deskTools((...done) => void this.#sql.exec('INSERT INTO journal VALUES (?, ?) ON CONFLICT DO NOTHING', ...done)),
      checkpointer: new DurableObjectSaver(this.#sql),
    });
  }

  /** Gives what a person says to the agent. `null`: not now, because the last run has not ended. */
  say(text: string): Promise<Standing | null> {
    return this.#run('idle', { messages: [new HumanMessage(text)] });
  }

  /** Answers the question that a tool waits for. `null`: there is none. */
  decide(approved: boolean): Promise<Standing | null> {
    return this.#run('waiting', new Command({ resume: approved }));
  }

  /** Goes on with a run that was cut off, at the node that had not ended. `null`: none was. */
  goOn(): Promise<Standing | null> {
    return this.#run('stopped', null);
  }

  /** How it stands. */
  async look(): Promise<Standing> {
    const standing = await this.#standing();
    return this.#busy ? { ...standing, status: 'running' } : standing;
  }

  async #run(from: Standing['status'], input: Parameters<DeskGraph['invoke']>[0]): Promise<Standing | null> {
    if (this.#busy) return null;
    this.#busy = true;
    try {
      if ((await this.#standing()).status !== from) return null;
      // 'sync': a step is stored before the next one begins.
      await this.#graph.invoke(input, { ...thread, durability: 'sync', recursionLimit: 50 });
      return await this.#standing();
    } finally {
      this.#busy = false;
    }
  }

  async #standing(): Promise<Standing> {
    const { values, next, tasks } = await this.#graph.getState(thread);
    const { messages = [] } = values as Partial<DeskState>;
    const [asked] = tasks.flatMap(({ interrupts }) => interrupts);
    const journal = this.#sql.exec<{ entry: string }>('SELECT entry FROM journal ORDER BY rowid').toArray();
    return {
      status: asked ? 'waiting' : next.length > 0 ? 'stopped' : 'idle',
      ...(asked && { question: asked.value as Question }),
      loaded: loadedSkills(values).map(({ name }) => name),
      messages: messages.map(({ type, text }) => ({ type, text })),
      journal: journal.map(({ entry }) => entry),
    };
  }
}

// An object has one conversation, so one thread.
const thread = { configurable: { thread_id: 'conversation' } };
