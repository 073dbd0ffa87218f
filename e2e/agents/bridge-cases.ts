import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { limitsText, openLibrary, refundText, scriptText, stampBytes, type Caller, type Library } from './library.ts';

/** One framework over one library, as its own code sees the skills. A missing skill or file is `null`, or a rejection. */
export interface OpenedBridge {
  /** Names in the catalog of the framework, as it is now. */
  list(): Promise<readonly string[]>;
  /** What a model gets when it loads the skill. */
  load(name: string): Promise<string | null>;
  readText(name: string, path: string): Promise<string | null>;
  /** Bytes of a file that is no text; `undefined` where the framework has no such files. */
  readBytes?: ((name: string, path: string) => Promise<Uint8Array | null>) | undefined;
  readScript?: ((name: string, path: string) => Promise<string | null>) | undefined;
}

/** A bridge, and what is special to its framework. */
export interface BridgeUnderTest {
  readonly name: string;
  open(library: Library, caller: Caller | undefined): Promise<OpenedBridge> | OpenedBridge;
  /** Whether what was opened looks at the library again by itself. @default true; else it is opened anew */
  readonly isLive?: boolean | undefined;
  /** Whether a load is the whole `SKILL.md`, and not the body alone. @default false */
  readonly loadsWholeFile?: boolean | undefined;
  /** Whether the framework has a list, and not only a search. @default true */
  readonly hasList?: boolean | undefined;
  /** What a list does while the source is down. @default 'rejects' */
  readonly whileDown?: 'rejects' | 'lists-nothing' | 'keeps' | undefined;
}

/** What every bridge promises, on the real framework. */
export function testBridge(bridge: BridgeUnderTest): void {
  const open = async (library: Library, caller?: Caller): Promise<OpenedBridge> => bridge.open(library, caller);
  const again = async (library: Library, opened: OpenedBridge): Promise<OpenedBridge> => (bridge.isLive === false ? open(library) : opened);
  /** What is missing is `null` in one framework and a rejection in another. */
  const orNull = (answer: Promise<unknown>): Promise<unknown> => answer.catch(() => null);

  describe(`${bridge.name}: what every bridge promises`, () => {
    it('BRG-1: lists what the session lists, and no more', async () => {
      await using library = await openLibrary();
      expect([...(await (await open(library)).list())].sort()).toEqual(['greetings', 'refunds']);
      expect([...(await (await open(library, { role: 'clerk' })).list())].sort()).toEqual(['greetings', 'refunds', 'salaries']);
    });

    it('BRG-1: a hidden skill cannot be loaded or read by its name', async () => {
      await using library = await openLibrary();
      await library.write('salaries/references/rates.md', 'secret');
      const opened = await open(library);
      for (const name of ['salaries', 'audit', 'nothing']) expect(await orNull(opened.load(name))).toBeNull();
      expect(await orNull(opened.readText('salaries', 'references/rates.md'))).toBeNull();
      expect(await (await open(library, { role: 'clerk' })).load('salaries')).toContain('Pay on the last day.');
    });

    it('BRG-2: gives the text and the bytes of the source', async () => {
      await using library = await openLibrary();
      const opened = await open(library);
      const loaded = await opened.load('refunds');
      if (bridge.loadsWholeFile === true) expect(loaded).toBe(refundText);
      else expect(loaded).toContain(refundText.split('---\n')[2]?.trim());
      expect(await opened.readText('refunds', 'references/limits.md')).toBe(limitsText);
      if (opened.readScript !== undefined) expect(await opened.readScript('refunds', 'scripts/run.py')).toBe(scriptText);
      if (opened.readBytes !== undefined) {
        expect(new Uint8Array((await opened.readBytes('refunds', 'assets/stamp.bin')) ?? [])).toEqual(stampBytes);
      }
    });

    it('BRG-2: no path leads out of a skill', async () => {
      await using library = await openLibrary();
      const opened = await open(library);
      for (const path of ['../salaries/SKILL.md', 'references/../../salaries/SKILL.md', '/etc/passwd', 'references/none.md']) {
        expect(await orNull(opened.readText('refunds', path))).toBeNull();
      }
    });

    it('BRG-3: a skill that changed, came or went is seen', async () => {
      await using library = await openLibrary();
      let opened = await open(library);
      await opened.list();
      await opened.load('refunds');
      await library.write('refunds/SKILL.md', refundText.replace('ask a person', 'ask two persons'));
      await library.write('refunds/references/limits.md', 'Nothing at all.');
      await library.write('returns/SKILL.md', '---\nname: returns\ndescription: Takes goods back.\n---\n\nSend a label.\n');
      await library.remove('greetings');
      opened = await again(library, opened);
      expect([...(await opened.list())].sort()).toEqual(['refunds', 'returns']);
      expect(await opened.load('refunds')).toContain('ask two persons');
      expect(await opened.load('returns')).toContain('Send a label.');
      expect(await opened.readText('refunds', 'references/limits.md')).toBe('Nothing at all.');
      expect(await orNull(opened.load('greetings'))).toBeNull();
    });

    it('BRG-3: a source that is down gives nothing up, and is back when it answers', async () => {
      await using library = await openLibrary();
      let opened = await open(library);
      await opened.list();
      library.isDown = true;
      const { whileDown = 'rejects' } = bridge;
      const listed = (async () => (await again(library, opened)).list())();
      if (whileDown === 'rejects') await expect(listed).rejects.toThrow('The shelf is locked.');
      else expect([...(await listed)].sort()).toEqual(whileDown === 'keeps' ? ['greetings', 'refunds'] : []);
      library.isDown = false;
      opened = await again(library, opened);
      expect([...(await opened.list())].sort()).toEqual(['greetings', 'refunds']);
      expect(await opened.load('greetings')).toContain('Say good day.');
    });

    it('BRG-4: what is untrusted is marked, and cannot run', async () => {
      await using library = await openLibrary({ trusted: false });
      const opened = await open(library);
      const loaded = await opened.load('refunds');
      expect(loaded).toContain('trust="untrusted"');
      expect(loaded).toContain('does not vouch for');
      expect(loaded).not.toContain('issue_refund');
      expect(await opened.readText('refunds', 'references/limits.md')).toContain('trust="untrusted"');
      if (opened.readScript !== undefined) expect(await orNull(opened.readScript('refunds', 'scripts/run.py'))).toBeNull();
      if (opened.readBytes !== undefined) {
        expect(new Uint8Array((await opened.readBytes('refunds', 'assets/stamp.bin')) ?? [])).toEqual(stampBytes);
      }
    });

    it('BRG-5: says once and loudly that a gate is not kept', async () => {
      await using library = await openLibrary();
      const opened = await open(library);
      await opened.list();
      await opened.load('refunds');
      const told = library.diagnostics.filter(({ code }) => code === 'bridge-not-gated');
      expect(told).toHaveLength(1);
      expect(told[0]?.message).toMatch(/^NOT GATED: .* issue_refund /);
    });

    it('BRG-1: serves hundreds of skills', async () => {
      // A thousand for `pnpm fuzz --properties 1`: several frameworks read each of them.
      const more = propertyRuns(1_000);
      await using library = await openLibrary({ more });
      const opened = await open(library);
      if (bridge.hasList !== false) expect(await opened.list()).toHaveLength(more + 2);
      expect(await opened.load(`more-${more - 1}`)).toContain(`Thing ${more - 1}.`);
    });
  });
}
