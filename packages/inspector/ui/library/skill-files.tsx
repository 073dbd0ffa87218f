import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { FileText, SkillView } from '../../src/library/views.ts';
import { fileTree, type TreeNode } from '../../src/library/file-tree.ts';
import { file } from '../state/api.ts';
import { bytes } from '../state/format.ts';
import { linkTo, route } from '../state/route.ts';
import { Icon } from '../shared/icons.tsx';
import { Markdown } from '../shared/markdown.tsx';
import { Wait } from '../shared/states.tsx';
import { TextBlock } from '../shared/text-block.tsx';
import { shownPlain } from '../text/hidden-parts.ts';
import { shown } from '../text/shown.tsx';
import { Boundary } from '../shared/boundary.tsx';

/** The files of a skill, as the tree that they lie in, and one of them. */
export function SkillFiles({ skill, open }: { readonly skill: SkillView; readonly open: string | undefined }): VNode {
  if (skill.files.length === 0)
    return (
      <p class="calm-line">
        It has no files besides its SKILL.md. Files in <code>references/</code>, <code>scripts/</code> and <code>assets/</code> of its
        folder show here.
      </p>
    );
  return (
    <div class="files">
      <nav aria-label="Files">
        <Tree nodes={fileTree(skill.files)} open={open} />
      </nav>
      <div class="file-preview">
        {open === undefined ? (
          <p class="calm-line">Choose a file. A model reads it only if the instructions send it there.</p>
        ) : (
          <Boundary of="This file" key={open}>
            <Wait of={file(skill.name, open)}>{(each) => <Preview file={each} />}</Wait>
          </Boundary>
        )}
      </div>
    </div>
  );
}

function Tree({ nodes, open }: { readonly nodes: readonly TreeNode[]; readonly open: string | undefined }): VNode {
  const { parts, query } = route.value;
  return (
    <ul class="tree">
      {nodes.map((node) => (
        <li key={`${node.file === null ? 'folder' : 'file'} ${node.name}`}>
          {node.file === null ? (
            <details open>
              <summary>
                <Icon name="folder" /> <bdi>{shown(node.name)}</bdi>
              </summary>
              <Tree nodes={node.children} open={open} />
            </details>
          ) : (
            <a
              href={linkTo(parts, { ...query, tab: 'files', file: node.file.path })}
              aria-current={open === node.file.path ? 'true' : undefined}
            >
              <Icon name="file" /> <bdi>{shown(node.name)}</bdi>
              <small>{node.file.size === null ? '' : bytes(node.file.size)}</small>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

function Preview({ file: { path, text, size, mediaType, isCut } }: { readonly file: FileText }): VNode {
  const isLaidOut = useSignal(true);
  if (text === null)
    return (
      <p class="calm-line">
        {shown(path)} is not text ({mediaType}, {bytes(size)}). A model only learns that it is there.
      </p>
    );
  const isMarkdown = mediaType === 'text/markdown';
  return (
    <>
      {isMarkdown ? (
        <p class="preview-mode">
          <button type="button" class="toggle" aria-pressed={isLaidOut.value} onClick={() => (isLaidOut.value = !isLaidOut.value)}>
            {isLaidOut.value ? 'Show the text as it is' : 'Lay it out'}
          </button>
        </p>
      ) : null}
      {isMarkdown && isLaidOut.value ? <Markdown text={text} /> : <TextBlock text={text} label={shownPlain(path)} />}
      {isCut ? <p class="calm-line">Only the first part is shown; the file has {bytes(size)}.</p> : null}
    </>
  );
}
