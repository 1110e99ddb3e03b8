import { createInterface, type Interface } from 'node:readline';
import { type Line, printedLine } from './styled-text.ts';

/**
 * Output: results to stdout, everything else to stderr. Texts of data are everywhere in it, so each line is escaped
 * when it is printed (docs/semantics.md#155-text-output): a line end within a text makes no other line, and a caller
 * that forgets about data does no harm.
 */
export interface Terminal {
  /** A line of the result. */
  result(line: Line): void;
  /**
   * A result that has a syntax of its own, in which data is already escaped, unchanged: JSON, SARIF, JUnit, Markdown,
   * YAML, statements and requests. Not for lines of text.
   */
  document(text: string): void;
  /** A message that is not part of the result. */
  note(line: Line): void;
  /** Redraws the progress line on a terminal; elsewhere prints a line when `label` changed. */
  progress(label: string, fraction: number | undefined): void;
  /** Removes the progress line. */
  endProgress(): void;
  /** Asks the user and resolves to the typed line. Undefined without an interactive terminal. Rejects when aborted. */
  readonly ask: ((question: string, signal: AbortSignal) => Promise<string>) | undefined;
}

export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A terminal on its streams. Colour, redrawing and questions require a TTY; `NO_COLOR` is respected. */
export function createTerminal(
  stdout: OutputStream,
  stderr: OutputStream,
  environment: NodeJS.ProcessEnv,
  stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean },
): Terminal {
  const interactive = stderr.isTTY === true && environment['TERM'] !== 'dumb';
  const isColoured = wantsColour(interactive && stdout.isTTY === true, environment);
  let shown = '';
  const clear = (): void => {
    if (interactive && shown !== '') stderr.write('\r\u001b[K');
    if (interactive) shown = '';
  };
  return {
    result(line) {
      clear();
      stdout.write(`${printedLine(line, isColoured)}\n`);
    },
    document(text) {
      clear();
      stdout.write(`${text}\n`);
    },
    note(line) {
      clear();
      stderr.write(`${printedLine(line, isColoured)}\n`);
    },
    progress(label, fraction) {
      if (!interactive) {
        if (label !== shown) stderr.write(`${printedLine(label, false)}\n`);
        shown = label;
        return;
      }
      const text = printedLine(`${bar(fraction)} ${label}`, false).slice(0, Math.max(20, (stderr.columns ?? 80) - 1));
      if (text === shown) return;
      stderr.write(`\r\u001b[K${text}`);
      shown = text;
    },
    endProgress: clear,
    ask:
      interactive && stdin?.isTTY === true
        ? async (question, signal) => {
            clear();
            stderr.write(printedLine(question, false));
            const lines = createInterface({ input: stdin });
            try {
              return await firstLine(lines, signal);
            } finally {
              lines.close();
            }
          }
        : undefined,
  };
}

/** The next line; '' when the input ends before. */
function firstLine(lines: Interface, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
}

function wantsColour(interactive: boolean, environment: NodeJS.ProcessEnv): boolean {
  if (environment['NO_COLOR']) return false;
  return interactive || (environment['FORCE_COLOR'] ?? '0') !== '0';
}

const barWidth = 20;

function bar(fraction: number | undefined): string {
  if (fraction === undefined) return `[${'·'.repeat(barWidth)}]     `;
  const bounded = Math.min(1, Math.max(0, fraction));
  const filled = Math.round(bounded * barWidth);
  const percent = `${Math.floor(bounded * 100)}%`.padStart(4);
  return `[${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}] ${percent}`;
}
