import type { R2Bucket } from '@cloudflare/workers-types';
import { pluginProvider, r2PluginFiles } from '@repertoire/agent-plugins';

export default {
  async fetch(request: Request, env: { readonly BUCKET: R2Bucket }): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const files = r2PluginFiles(env.BUCKET, 'plugins/');
    const provider = pluginProvider({ roots: [{ files, name: 'bucket' }], label: 'team' });
    if (pathname === '/file') {
      const file = await provider.readResource(searchParams.get('name') ?? '', searchParams.get('path') ?? '');
      return new Response(file === null ? 'none' : new TextDecoder().decode(file.bytes));
    }
    if (pathname === '/skill') return Response.json(await provider.getSkill(searchParams.get('name') ?? ''));
    const { skills, diagnostics } = await provider.listSkills();
    const plugins = await provider.listPlugins();
    return Response.json({
      plugins: plugins.map(({ manifest, servers }) => [manifest.name, [...servers.keys()]]),
      skills: skills.map(({ name, origin }) => [name, origin?.place, origin?.trusted]),
      diagnostics: diagnostics.map(({ code }) => code),
    });
  },
};
