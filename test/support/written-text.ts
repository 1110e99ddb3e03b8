import { Lexer } from 'yaml';
import { parseDocument } from 'yaml';

/** The data of a text, parsed by the library; fails for an unreadable one. */
export function meaningOfText(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'error', version: '1.2' });
  if (document.errors.length > 0) throw new Error(`${document.errors[0]?.message}\n${text}`);
  return document.toJS({ maxAliasCount: -1 }) as unknown;
}

/** The comments of a text, in order. */
export function commentsOf(text: string): readonly string[] {
  const comments: string[] = [];
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme.startsWith('#') && !isScalar) comments.push(lexeme.trimEnd());
    isScalar = lexeme === '\x1f';
  }
  return comments;
}

/** The missing comments. */
export function lostComments(before: string, after: string): readonly string[] {
  const left = [...commentsOf(after)];
  return commentsOf(before).filter((comment) => {
    const at = left.indexOf(comment);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
