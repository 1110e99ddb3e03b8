import { type Token, type Tokens, marked } from 'marked';

/** What a reader sees of a Markdown text, as the library reads it that VS Code shows hovers with. */
export interface RenderedMarkdown {
  /** All that is shown, blocks and lines with a line break between them, blanks as single blanks. */
  readonly text: string;
  /** What is inside of code, each on its own. */
  readonly code: readonly string[];
  /** The kinds of all parts, such as `strong`, `link` or `html`. */
  readonly kinds: ReadonlySet<string>;
}

export function renderMarkdown(source: string): RenderedMarkdown {
  const kinds = new Set<string>();
  const code: string[] = [];
  const all = (tokens: readonly Token[]): string => tokens.map(shown).join('');
  const shown = (token: Token): string => {
    // Cells of tables have no other line break.
    if (token.raw === '<br>') return '\n';
    kinds.add(token.type);
    switch (token.type) {
      case 'codespan':
      case 'code':
        code.push((token as Tokens.Code).text);
        return token.type === 'code' ? `${(token as Tokens.Code).text}\n` : (token as Tokens.Codespan).text;
      case 'space':
      case 'br':
        return '\n';
      case 'escape':
        return (token as Tokens.Escape).text;
      case 'table': {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].map((row) => row.map(({ tokens }) => all(tokens)).join('\u241f')).join('\n');
      }
      case 'text':
        return token.tokens ? all(token.tokens) : decoded((token as Tokens.Text).text);
      default:
        return 'tokens' in token && token.tokens ? all(token.tokens) : token.raw;
    }
  };
  return { text: blanksAsOne(all(marked.lexer(source))), code, kinds };
}

/** A text as it is compared with what is shown: of blanks, only where they stand counts. */
export function blanksAsOne(text: string): string {
  return text
    .replaceAll('\0', '\uFFFD')
    .replaceAll(/\s*[\n\r\v\f\u0085\u2028\u2029]\s*/g, '\n')
    .replaceAll(/[^\S\n]+/g, ' ')
    .trim();
}

/** The references that stand in a text token as they were written. */
function decoded(text: string): string {
  return text
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
