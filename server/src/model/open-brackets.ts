/** An unclosed bracket or brace. */
export interface OpenBracket {
  readonly at: number;
  readonly closer: ']' | '}';
  /** Its probable end. */
  readonly end: number;
}

/**
 * The unclosed brackets and braces of a text, by probable end: at a line indented no deeper than their key, at another
 * closing bracket, or at a quoted key in a list. A parser would read everything up to the end of the file into them.
 */
export function openBrackets(text: string): readonly OpenBracket[] {
  const found: OpenBracket[] = [];
  const stack: Omit<OpenBracket, 'end'>[] = [];
  // The indentation of JSON is arbitrary.
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
        // A surplus closing bracket is another error.
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

/** Brackets and quoted strings of a line. */
function* signsOf(content: string, isInside: boolean): Generator<Sign> {
  let depth = isInside ? 1 : 0;
  for (let at = 0; at < content.length; at += 1) {
    const sign = content.charAt(at);
    const before = content.charAt(at - 1);
    if (sign === '"' || sign === "'") {
      // An apostrophe within a word opens no string.
      if (at > 0 && !/[\s,[{:]/.test(before)) continue;
      const end = endOfQuoted(content, at);
      yield { sign, at, end };
      at = end - 1;
    } else if (sign === '[' || sign === '{') {
      // Within a plain scalar a bracket is an ordinary character.
      if (depth === 0 && at > 0 && !/[\s[{]/.test(before)) continue;
      depth += 1;
      yield { sign, at, end: at + 1 };
    } else if (sign === ']' || sign === '}') {
      depth -= 1;
      yield { sign, at, end: at + 1 };
    }
  }
}

/** After the closing quote of the string at `start`; the end of the line without one. */
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
