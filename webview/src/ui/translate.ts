/** Translations by English text. */
type Messages = Readonly<Record<string, string>>;

/** Translates messages; untranslated ones stay in English. */
interface Translator {
  /** `{0}`, `{1}` … stand for the arguments, as in `vscode.l10n.t`. */
  t(message: string, ...args: readonly (string | number)[]): string;
  /** Translates a sentence with markup: returns its pieces in order, for a template. */
  tParts(message: string, ...args: readonly unknown[]): readonly unknown[];
}

export function createTranslator(messages: Messages): Translator {
  const translated = (message: string): string =>
    Object.hasOwn(messages, message) ? (messages[message] ?? message) : message;
  const tParts: Translator['tParts'] = (message, ...args) =>
    // Every second piece is a placeholder number.
    translated(message)
      .split(/\{(\d+)\}/)
      .map((piece, index) => (index % 2 === 0 ? piece : (args[Number(piece)] ?? `{${piece}}`)));
  const t: Translator['t'] = (message, ...args) =>
    args.length === 0 ? translated(message) : tParts(message, ...args).join('');
  return { t, tParts };
}

/** The translations that the extension wrote into the page; none in English, and outside of a page. */
function messagesOfPage(): Messages {
  const text = typeof document === 'undefined' ? undefined : document.getElementById('root')?.dataset['l10n'];
  return text === undefined ? {} : (JSON.parse(text) as Messages);
}

/**
 * Texts are literals, so that `scripts/l10n.mjs` can find them. Names of keys stay in English, as in VS Code's menus,
 * and so do names, types and codes from data.
 */
export const { t, tParts } = createTranslator(messagesOfPage());

/** The translated label of a field, and what its control shows while it is empty. */
export function labelOf({ label = '' }: { readonly label?: string }): string {
  return t(label);
}

export function placeholderOf({ placeholder }: { readonly placeholder?: string }): string | undefined {
  return placeholder === undefined ? undefined : t(placeholder);
}
