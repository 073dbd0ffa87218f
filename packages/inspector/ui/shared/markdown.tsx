import type { Token, Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { lexMarkdown } from '../text/lex-markdown.ts';
import { shown } from '../text/shown.tsx';

/** Markdown as elements, never as HTML: links go nowhere, pictures are named, the rest is text. */
export function Markdown({ text }: { readonly text: string }): VNode {
  const { tokens, isCut } = useMemo(() => lexMarkdown(text), [text]);
  return (
    <div class="markdown">
      {tokens === null ? (
        <>
          <p class="notice calm">This cannot be laid out. It is shown as text.</p>
          <p class="raw">{shown(text)}</p>
        </>
      ) : (
        blocks(tokens)
      )}
      {isCut ? <p class="notice calm">Only the first part is laid out. The whole text is under SKILL.md.</p> : null}
    </div>
  );
}

function blocks(tokens: readonly Token[]): ComponentChildren[] {
  return tokens.map((token) => block(token as Tokens.Generic));
}

function block(token: Tokens.Generic): ComponentChildren {
  switch (token.type) {
    case 'heading': {
      // A page has one heading of its own above these.
      const Heading = `h${Math.min(6, Number(token['depth']) + 2)}` as 'h3';
      return <Heading class={`depth-${String(token['depth'])}`}>{inline(token.tokens)}</Heading>;
    }
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>;
    case 'code':
      return (
        <pre tabIndex={0} role="region" aria-label="Code">
          <code>{shown(String(token['text']))}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>;
    case 'list':
      return list(token as unknown as Tokens.List);
    case 'table':
      return table(token as unknown as Tokens.Table);
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
      return null;
    case 'text':
      return token.tokens === undefined ? shown(String(token['text'])) : inline(token.tokens);
    default:
      return <p class="raw">{shown(token.raw)}</p>;
  }
}

function list({ ordered, start, items }: Tokens.List): VNode {
  const rows = items.map((item) => <li>{blocks(item.tokens)}</li>);
  return ordered ? <ol start={Number(start) || 1}>{rows}</ol> : <ul>{rows}</ul>;
}

function table({ header, rows }: Tokens.Table): VNode {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map((cell) => (
              <th scope="col">{inline(cell.tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>{inline(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(tokens: readonly Token[] = []): ComponentChildren[] {
  return tokens.map((each) => {
    const token = each as Tokens.Generic;
    switch (token.type) {
      case 'strong':
        return <strong>{inline(token.tokens)}</strong>;
      case 'em':
        return <em>{inline(token.tokens)}</em>;
      case 'del':
        return <del>{inline(token.tokens)}</del>;
      case 'codespan':
        return <code>{shown(unescaped(String(token['text'])))}</code>;
      case 'br':
        return <br />;
      case 'link':
        return (
          <span class="link" title={String(token['href'])}>
            {inline(token.tokens)}
          </span>
        );
      case 'image':
        return <span class="link">{shown(`[picture: ${String(token['text'])}]`)}</span>;
      case 'text':
      case 'escape':
        return token.tokens === undefined ? shown(unescaped(String(token['text']))) : inline(token.tokens);
      default:
        return shown(token.raw);
    }
  });
}

/** The lexer escapes some texts for HTML, which is not what they become here. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
