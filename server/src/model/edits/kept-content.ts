import { Lexer, type Node, isMap, isScalar, isSeq } from 'yaml';
import { plainValue } from '../plain-value.ts';
import type { SourceRange } from '../source-range.ts';
import { type YamlText, rangeOf } from '../yaml-text.ts';
import { type TextEdit, applyEdits } from './text-edit.ts';

/**
 * Whether all comments and keys outside of the edits remain comments and keys: a change that makes a text readable may
 * just hide the error in a quoted or multi-line scalar.
 */
export function keepsCommentsAndKeys(text: string, edits: readonly TextEdit[]): boolean {
  const isReplaced = ({ start }: SourceRange): boolean =>
    edits.some(({ range }) => range.start <= start && start < range.end);
  const before = signsOf(text).filter((sign) => !isReplaced(sign));
  const after = signsOf(applyEdits(text, edits));
  const left = new Map<string, number>();
  for (const { sign } of after) left.set(sign, (left.get(sign) ?? 0) + 1);
  return before.every(({ sign }) => {
    const count = left.get(sign) ?? 0;
    left.set(sign, count - 1);
    return count > 0;
  });
}

interface Sign extends SourceRange {
  /** A comment, or the colon of a key. */
  readonly sign: string;
}

/** Tokens between the nodes of the library. */
const marks = new Set(['\x02', '\x18', '\x1f']);

function signsOf(text: string): readonly Sign[] {
  const signs: Sign[] = [];
  let start = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    const isMark = marks.has(lexeme);
    const end = isMark ? start : start + lexeme.length;
    const isSign = lexeme === ':' || lexeme.startsWith('#');
    if (isSign && !isScalar) signs.push({ start, end, sign: lexeme.trimEnd() });
    isScalar = lexeme === '\x1f';
    start = end;
  }
  return signs;
}

/**
 * Whether everything readable in a broken text is also in another text: each entry, possibly in another list, and each
 * top-level field. True for a text that was not parsed in parts, because then nothing is certain.
 */
export function keepsEntries(before: YamlText, after: YamlText): boolean {
  if (!before.broken) return true;
  const left = new Map<string, number>();
  for (const said of saidBy(after)) left.set(said, (left.get(said) ?? 0) + 1);
  return saidBy(before).every((said) => {
    const count = left.get(said) ?? 0;
    left.set(said, count - 1);
    return count > 0;
  });
}

function saidBy(yaml: YamlText): readonly string[] {
  const { contents } = yaml.document;
  const { broken = [] } = yaml;
  const isRead = (node: Node): boolean => {
    const { start, end } = rangeOf(node);
    return !broken.some((range) => start < range.end && range.start < end);
  };
  const say = (node: Node): string | undefined => JSON.stringify(plainValue(node, yaml));
  if (!isMap(contents)) return [];
  return contents.items.flatMap(({ key, value }): readonly string[] => {
    if (isSeq(value)) return (value.items as Node[]).filter(isRead).flatMap((item) => say(item) ?? []);
    const node = value as Node | null;
    if (!isScalar(key) || !node || !isRead(key) || !isRead(node)) return [];
    return [`${String(key.value)}: ${say(node)}`];
  });
}
