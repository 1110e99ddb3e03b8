/** A bracket or brace that is never closed. */
export interface OpenBracket {
  readonly at: number;
  readonly closer: ']' | '}';
  /** Where it should have been closed. */
  readonly end: number;
}

/**
 * The brackets and braces of a text that are never closed, in the order of their ends: those that are open where a line is
 * indented no deeper than the key they belong to, where another one is closed, or where a quoted key stands in a list. A
 * parser reads everything to the end of the file into an open bracket.
 */
export function openBrackets(text: string): readonly OpenBracket[] {
  const found: OpenBracket[] = [];
  const stack: Omit<OpenBracket, 'end'>[] = [];
  // Lines of JSON are indented as anybody likes.
  const isJson = /^\s*\{/.test(text);
  let base = 0;
  let lastEnd = 0;
  let start = 0;
  const leaveOpen = (count: number, end: number): void => {
    for (const bracket of stack.splice(stack.length - count).reverse()) found.push({ ...bracket, end });
  };
  for (const line of text.split('\n')) {
    const content = line.replace(/(^|\s)#.*$/, '').trimEnd();
    if (content.trim() !== '') {
      const indent = content.search(/\S/);
      if (stack.length > 0 && indent <= base && !/^\s*[\]}]/.test(content)) leaveOpen(stack.length, lastEnd);
      if (stack.length === 0) base = isJson ? -1 : content.search(/[^\s-]/);
      scan(content, start);
      lastEnd = start + content.length;
    }
    start += line.length + 1;
  }
  leaveOpen(stack.length, lastEnd);
  return found;

  function scan(content: string, lineStart: number): void {
    for (const { sign, at, end } of signsOf(content, stack.length > 0)) {
      const place = lineStart + at;
      if (sign === '[' || sign === '{') stack.push({ at: place, closer: sign === '[' ? ']' : '}' });
      else if (sign === ']' || sign === '}') {
        const depth = stack.findLastIndex(({ closer }) => closer === sign);
        // One that closes nothing is another mistake.
        if (depth < 0) continue;
        leaveOpen(stack.length - 1 - depth, text.slice(0, place).trimEnd().length);
        stack.pop();
      } else if (isKey(content, end) && stack.at(-1)?.closer === ']' && stack.length > 1) {
        const before = text.slice(0, place).trimEnd();
        leaveOpen(1, before.endsWith(',') ? before.slice(0, -1).trimEnd().length : before.length);
      }
    }
  }
}

function isKey(content: string, end: number): boolean {
  return /^\s*:/.test(content.slice(end));
}

interface Sign {
  readonly sign: string;
  readonly at: number;
  readonly end: number;
}

/** Brackets of a line, and its quoted texts under the sign of their quote. */
function* signsOf(content: string, isInside: boolean): Generator<Sign> {
  let depth = isInside ? 1 : 0;
  for (let at = 0; at < content.length; at += 1) {
    const sign = content.charAt(at);
    const before = content.charAt(at - 1);
    if (sign === '"' || sign === "'") {
      // An apostrophe inside a word opens nothing.
      if (at > 0 && !/[\s,[{:]/.test(before)) continue;
      const end = endOfQuoted(content, at);
      yield { sign, at, end };
      at = end - 1;
    } else if (sign === '[' || sign === '{') {
      // Inside a plain text a bracket is a letter like any other.
      if (depth === 0 && at > 0 && !/[\s[{]/.test(before)) continue;
      depth += 1;
      yield { sign, at, end: at + 1 };
    } else if (sign === ']' || sign === '}') {
      depth -= 1;
      yield { sign, at, end: at + 1 };
    }
  }
}

/** Behind the quote that closes the one at `start`; the end of the line when none does. */
export function endOfQuoted(content: string, start: number): number {
  const quote = content.charAt(start);
  for (let at = start + 1; at < content.length; at += 1) {
    const sign = content.charAt(at);
    if (sign === '\\' && quote === '"') at += 1;
    else if (sign === quote && quote === "'" && content.charAt(at + 1) === quote) at += 1;
    else if (sign === quote) return at + 1;
  }
  return content.length;
}
