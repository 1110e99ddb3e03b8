/** Messages in the language of VS Code, by their English text. */
export type Messages = Readonly<Record<string, string>>;

/** Says messages in one language; a message without a translation is said as it is. */
export interface Translator {
  /** `{0}`, `{1}` … stand for the arguments, as in `vscode.l10n.t`. */
  t(message: string, ...args: readonly (string | number)[]): string;
  /** The same for a sentence with markup in it: its pieces in order, to be drawn by a template. */
  tParts(message: string, ...args: readonly unknown[]): readonly unknown[];
}

export function createTranslator(messages: Messages): Translator {
  const tParts: Translator['tParts'] = (message, ...args) => {
    const words = Object.hasOwn(messages, message) ? (messages[message] ?? message) : message;
    // Every second piece is the number of a placeholder.
    return words
      .split(/\{(\d+)\}/)
      .map((piece, index) => (index % 2 === 0 ? piece : (args[Number(piece)] ?? `{${piece}}`)));
  };
  return { t: (message, ...args) => tParts(message, ...args).join(''), tParts };
}

/** The messages that the extension wrote into the page; none while VS Code speaks English, and outside of a page. */
function messagesOfPage(): Messages {
  const text = typeof document === 'undefined' ? undefined : document.getElementById('root')?.dataset['l10n'];
  return text === undefined ? {} : (JSON.parse(text) as Messages);
}

/**
 * Texts are written out where they are said, for `scripts/l10n.mjs` to find. Names of keys stay English, as in VS
 * Code's own menus; so do names, types and codes that come from data.
 */
export const { t, tParts } = createTranslator(messagesOfPage());
