import type { SkillMetadata, SkillResource } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { insideElement } from '../prompt/escape.ts';
import { frame } from '../prompt/frames.ts';
import { quoteWord } from '../prompt/source-words.ts';
import { binaryText, bytesCutText, lineCutText, moreLinesText, untrustedContentText } from '../prompt/model-texts.ts';
import { resourceText, type ResourceText, type ResourceTextOptions } from './resource-text.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import { shownSource } from '../catalog/shown-source.ts';
import { emitWithText } from './emit-with-text.ts';
import { findResource, type ResourceFilter } from './find-resource.ts';
import { readSkillInUse } from './pinned/read-skill-in-use.ts';
import { describeTool } from './describe-tool.ts';
import { reportInvisible } from './report-invisible.ts';
import { runTool } from './run-tool.ts';
import type { SkillTool } from './skill-tool.ts';
import { identityOf, spanAttributes, type ToolEnvironment } from './tool-environment.ts';
import { ToolInput } from './tool-input.ts';

/** `read_skill_file`, or `load_skill_resource` and `load_skill_asset`. */
export function readSkillFileTool(
  environment: ToolEnvironment,
  role: 'readFile' | 'loadResource' | 'loadAsset' = 'readFile',
  only?: ResourceFilter,
): SkillTool {
  const { names, limits } = environment;
  const name = names[role];
  return {
    ...describeTool(role, names),
    execute: (input, context) =>
      runTool(name, environment, context, async (span) => {
        const fields = new ToolInput(name, input);
        const asked = fields.requiredText('skill', 'skill_id', 'skill_name', 'name', 'id');
        const options = { version: fields.optionalText('version'), call: { ...context, tool: name, input } };
        const inUse = await readSkillInUse(environment, asked, context, options);
        const { skill } = inUse;
        if (context.onlyAsk === true) return { text: '', events: [] };
        span.set(spanAttributes(skill));
        const path = fields.requiredText('path', 'resource_path', 'asset_path');
        const lines = { startLine: fields.optionalLine('startLine'), endLine: fields.optionalLine('endLine') };
        if (lines.startLine !== undefined && lines.endLine !== undefined && lines.endLine < lines.startLine) {
          throw new SkillError('invalid-input', `${name} got endLine ${lines.endLine} before startLine ${lines.startLine}.`);
        }
        const resource = await findResource(environment, inUse, path, context, only);
        const text = renderResource(skill, resource, name, { ...lines, maxCharacters: limits.maxResourceCharacters });
        reportInvisible(environment, skill.name, resource.path, text);
        await emitWithText(environment, text, ({ digest }) => {
          const pinned = inUse.loaded !== undefined && typeof skill.content === 'string';
          return { type: 'resource_read', path: resource.path, bytes: resource.bytes.length, digest, pinned, ...identityOf(skill) };
        });
        return { text, events: [] };
      }),
  };
}

/** Lines of a file inside an element, and how to get the rest. */
function renderResource(skill: SkillMetadata, resource: SkillResource, tool: string, options: ResourceTextOptions): string {
  const view = resourceText(resource, options);
  if (view.kind === 'binary') return binaryText(resource.path, resource.mediaType, resource.size);
  if (options.startLine !== undefined && view.totalLines > 0 && options.startLine > view.totalLines) {
    throw new SkillError(
      'invalid-input',
      `${quoteWord(resource.path)} has ${view.totalLines} lines, so there is no line ${options.startLine}.`,
      {
        skill: skill.name,
        path: resource.path,
      },
    );
  }
  const whole = view.startLine === 1 && !view.more;
  const attributes = {
    skill: skill.name,
    path: resource.path,
    lines: whole ? undefined : `${view.startLine}-${view.endLine} of ${view.totalLines}${view.bytesCut ? '+' : ''}`,
    source: shownSource(skill),
    trust: isTrusted(skill) ? undefined : 'untrusted',
  };
  const parts = [frame('skill_file', attributes, insideElement(view.text)), ...notes(view, resource, tool)];
  if (!isTrusted(skill)) parts.push(untrustedContentText);
  return parts.join('\n');
}

function* notes(view: Extract<ResourceText, { kind: 'text' }>, resource: SkillResource, tool: string): Generator<string> {
  if (view.lineCut) yield lineCutText(view.endLine);
  if (view.endLine < view.totalLines) yield moreLinesText(tool, view.endLine + 1, view.totalLines, view.bytesCut);
  else if (view.bytesCut) yield bytesCutText(resource.bytes.length, resource.size);
}
