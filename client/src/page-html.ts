import { escapeAttribute } from './escape-attribute.ts';

/** What a page consists of. Addresses are those that the page may load. */
interface PageContent {
  readonly title: string;
  /** Such as `de`. */
  readonly language: string;
  readonly policy: string;
  /** Allows the styles and scripts of the page in its policy. */
  readonly nonce: string;
  readonly styles: string;
  /** The script itself, or where it is. */
  readonly script: { readonly text: string } | { readonly address: string };
  /** Data for the script: attributes of the root element, without their prefix `data-`. */
  readonly data: Readonly<Record<string, string>>;
}

/** An empty page with one script. */
export function pageHtml({ title, language, policy, nonce, styles, script, data }: PageContent): string {
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeAttribute(value)}"`);
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(language)}">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeAttribute(title)}</title>
  <style nonce="${nonce}">${styles.replaceAll('</', '<\\/')}</style>
</head>
<body>
  <main id="root"${attributes.join('')}></main>
  ${scriptElement(script, nonce)}
</body>
</html>`;
}

function scriptElement(script: PageContent['script'], nonce: string): string {
  if ('address' in script) return `<script nonce="${nonce}" src="${escapeAttribute(script.address)}"></script>`;
  return `<script nonce="${nonce}">${insideElement(script.text)}</script>`;
}

/**
 * A script as the content of an element: the first text would end it, the second may keep it from ending. Programs have
 * both in texts, templates and regular expressions only, where an escape means the same.
 */
function insideElement(script: string): string {
  return script.replaceAll(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '\\x3C!--');
}

/** The style sheet of the icons, whose font lies in another folder than the page. */
export function iconStyles(text: string, folder: string): string {
  return text.replace(/url\("\.\//g, () => `url("${folder}/`);
}
