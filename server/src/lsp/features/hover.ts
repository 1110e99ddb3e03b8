import type { Hover, HoverParams } from 'vscode-languageserver/node';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';
import { toMarkup } from './to-markup.ts';

/** `textDocument/hover` */
export function createHover({
  documents,
  contexts,
  tests,
  abilities,
}: LanguageServer): RequestWork<HoverParams, Hover | null> {
  return async ({ textDocument, position }, signal) => {
    const { hoverDataSources, hoverEntityGraph } = await import('../../language/hover.ts');
    const { hoverGraphTests } = await import('../../graph-tests/hover-tests.ts');
    signal.throwIfAborted();
    const document = documents.get(textDocument.uri);
    if (!document) return null;
    const offset = document.lines.offset(position);
    const hover =
      document.kind === 'tests'
        ? hoverGraphTests(document.parsed, (await tests.of(document)).tested, offset)
        : document.kind === 'graph'
          ? hoverEntityGraph(contexts.of(document), offset)
          : hoverDataSources({ parsed: document.parsed }, offset);
    if (!hover) return null;
    return {
      contents: toMarkup(hover.markdown, abilities().forms.hover),
      range: document.lines.range(hover.range),
    };
  };
}
