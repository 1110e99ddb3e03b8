import { type Token, type Tokens, marked } from 'marked';

/** Visible content of a Markdown text, by the library that VS Code uses for hovers. */
export interface RenderedMarkdown {
  /** All visible text, with line breaks between blocks and lines, and single blanks. */
  readonly text: string;
  /** Content of each code element. */
  readonly code: readonly string[];
  /** Kinds of all elements, such as `strong`, `link` or `html`. */
  readonly kinds: ReadonlySet<string>;
}

export function renderMarkdown(source: string): RenderedMarkdown {
  const kinds = new Set<string>();
  const code: string[] = [];
  const all = (tokens: readonly Token[]): string => tokens.map(shown).join('');
  const shown = (token: Token): string => {
    // Table cells have no other line break.
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
      case 'list':
        return (token as Tokens.List).items.map(({ tokens }) => `${all(tokens)}\n`).join('');
      case 'text':
        return token.tokens ? all(token.tokens) : decoded((token as Tokens.Text).text);
      default:
        return 'tokens' in token && token.tokens ? all(token.tokens) : token.raw;
    }
  };
  return { text: blanksAsOne(all(marked.lexer(source))), code, kinds };
}

/** Normalises a text for comparison: runs of blanks are equal. */
export function blanksAsOne(text: string): string {
  return text
    .replaceAll('\0', '\uFFFD')
    .replaceAll(/\s*[\n\r\v\f\u0085\u2028\u2029]\s*/g, '\n')
    .replaceAll(/[^\S\n]+/g, ' ')
    .trim();
}

/** Character references in a text token, as written. */
function decoded(text: string): string {
  return text
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
