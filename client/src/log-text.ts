import { printableLine } from '../../protocol/printable-text.ts';

/** A message for the log: texts of data stay within its line. The calls of an error have lines of their own. */
export function logText(message: string | Error): string {
  const text = typeof message === 'string' ? message : (message.stack ?? String(message));
  return linesOf(text, /\r?\n(?=[ \t]+at )/);
}

/** A traced message of the protocol, whose texts are JSON, in which they have no line ends. */
export function traceText(text: string): string {
  return linesOf(text, /\r?\n/);
}

function linesOf(text: string, between: RegExp): string {
  return text.split(between).map(printableLine).join('\n');
}
