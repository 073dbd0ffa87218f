import type { Library, Peer } from '../../src/peer.ts';

interface State {
  readonly skillsMetadata: readonly { readonly name: string; readonly path: string }[];
}

type Hook = (state: object) => Promise<State | undefined>;

interface DeepAgents {
  readonly FilesystemBackend: new (options: object) => { read(file: string, from: number, lines: number): Promise<unknown> };
  createSkillsMiddleware(options: object): {
    readonly beforeAgent?: Hook | { readonly hook: Hook };
    readonly beforeModel?: Hook | { readonly hook: Hook };
    wrapModelCall(request: object, next: (request: { readonly systemMessage: { readonly text: string } }) => object): Promise<unknown>;
  };
}

interface Messages {
  readonly SystemMessage: new (text: string) => object;
}

/** `deepagents` of LangChain: its skills middleware over a folder of this computer. */
export async function importPeer(): Promise<Peer> {
  const load = async (name: string): Promise<object> => (await import(name)) as object;
  const { createSkillsMiddleware, FilesystemBackend } = (await load('deepagents')) as DeepAgents;
  const { SystemMessage } = (await load('@langchain/core/messages')) as Messages;
  return {
    async open(folder: string): Promise<Library> {
      const backend = new FilesystemBackend({ rootDir: folder, virtualMode: true });
      const middleware = createSkillsMiddleware({ backend, sources: ['/'] });
      const found = middleware.beforeAgent ?? middleware.beforeModel;
      const hook = typeof found === 'object' ? found.hook : found;
      const state = await hook?.({ messages: [] });
      if (hook === undefined || state === undefined) throw new Error('The middleware lists nothing.');
      const read = async (file: string): Promise<string> => {
        // What its tool `read_file` does, which a model reads a skill with.
        const answer = await backend.read(file, 0, 1_000);
        return typeof answer === 'string' ? answer : String((answer as { readonly content?: unknown }).content);
      };
      return {
        skills: state.skillsMetadata.length,
        listAgain: () => hook({ messages: [], ...state }),
        async catalog() {
          let text = '';
          await middleware.wrapModelCall({ systemMessage: new SystemMessage(''), state, tools: [] }, (request) => {
            ({ text } = request.systemMessage);
            return {};
          });
          return text;
        },
        load: (name) => read(state.skillsMetadata.find((skill) => skill.name === name)?.path ?? ''),
        read: (name, file) => read(`/${name}/${file}`),
      };
    },
  };
}
