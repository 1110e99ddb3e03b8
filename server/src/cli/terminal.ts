import { createInterface, type Interface } from 'node:readline';

/** Output: results to stdout, everything else to stderr. */
export interface Terminal {
  /** A line of the result. */
  result(line: string): void;
  /** A message that is not part of the result. */
  note(line: string): void;
  /** Redraws the progress line on a terminal; elsewhere prints a line when `label` changed. */
  progress(label: string, fraction: number | undefined): void;
  /** Removes the progress line. */
  endProgress(): void;
  readonly paint: Paint;
  /** Asks the user and resolves to the typed line. Undefined without an interactive terminal. Rejects when aborted. */
  readonly ask: ((question: string, signal: AbortSignal) => Promise<string>) | undefined;
}

type Style = (text: string) => string;

export interface Paint {
  readonly bold: Style;
  readonly dim: Style;
  readonly red: Style;
  readonly yellow: Style;
  readonly green: Style;
  readonly blue: Style;
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
  const coloured = wantsColour(interactive && stdout.isTTY === true, environment);
  let shown = '';
  const clear = (): void => {
    if (interactive && shown !== '') stderr.write('\r\u001b[K');
    if (interactive) shown = '';
  };
  return {
    paint: createPaint(coloured),
    result(line) {
      clear();
      stdout.write(`${line}\n`);
    },
    note(line) {
      clear();
      stderr.write(`${line}\n`);
    },
    progress(label, fraction) {
      if (!interactive) {
        if (label !== shown) stderr.write(`${label}\n`);
        shown = label;
        return;
      }
      const text = `${bar(fraction)} ${label}`.slice(0, Math.max(20, (stderr.columns ?? 80) - 1));
      if (text === shown) return;
      stderr.write(`\r\u001b[K${text}`);
      shown = text;
    },
    endProgress: clear,
    ask:
      interactive && stdin?.isTTY === true
        ? async (question, signal) => {
            clear();
            stderr.write(question);
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

function createPaint(enabled: boolean): Paint {
  const style =
    (code: number): Style =>
    (text) =>
      enabled ? `\u001b[${code}m${text}\u001b[0m` : text;
  return { bold: style(1), dim: style(2), red: style(31), yellow: style(33), green: style(32), blue: style(34) };
}

/** For reports in files. */
export const plainPaint = createPaint(false);

const barWidth = 20;

function bar(fraction: number | undefined): string {
  if (fraction === undefined) return `[${'·'.repeat(barWidth)}]     `;
  const bounded = Math.min(1, Math.max(0, fraction));
  const filled = Math.round(bounded * barWidth);
  const percent = `${Math.floor(bounded * 100)}%`.padStart(4);
  return `[${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}] ${percent}`;
}
