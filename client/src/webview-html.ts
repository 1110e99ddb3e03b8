import { randomBytes } from 'node:crypto';
import { Uri, type Webview, env, l10n } from 'vscode';
import { escapeAttribute } from './escape-attribute.ts';

/** The page of a webview. */
export interface WebviewPage {
  readonly title: string;
  /** File in `webview/dist/`. */
  readonly script: string;
  /** Whether the page uses a layout worker. */
  readonly worker: boolean;
  /** Whether the page renders images for export; pages with a worker may too. */
  readonly images?: boolean;
}

/** Language and messages of VS Code. */
interface SpokenLanguage {
  /** Translations by English text; undefined for English. */
  readonly bundle: Readonly<Record<string, string>> | undefined;
  /** Such as `de`. */
  readonly language: string;
}

/** Folder of resources that webviews may load. */
export function webviewFolder(extensionUri: Uri): Uri {
  return Uri.joinPath(extensionUri, 'webview/dist');
}

/**
 * The form controls insert one empty style element, filled by script later. The hash of the empty text allows it
 * without allowing other inline styles.
 */
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** An empty page with one script; the policy blocks all other content and requests. */
export function webviewHtml(
  webview: Webview,
  extensionUri: Uri,
  { title, script, worker, images = worker }: WebviewPage,
  { bundle, language }: SpokenLanguage = { bundle: l10n.bundle, language: env.language },
): string {
  const uri = (file: string): string =>
    webview.asWebviewUri(Uri.joinPath(webviewFolder(extensionUri), file)).toString();
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource} ${emptyStyle}`,
    `font-src ${webview.cspSource}`,
    // The worker's file is fetched and started from a blob, because a webview cannot start it from its own address.
    ...(worker ? ['worker-src blob:', `connect-src ${webview.cspSource}`] : []),
    // Images for export are rendered from data addresses.
    ...(images ? ['img-src data:'] : []),
  ];
  const data = {
    ...(worker ? { worker: uri('elk-worker.min.js') } : {}),
    ...(bundle ? { l10n: JSON.stringify(bundle) } : {}),
  };
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeAttribute(value)}"`);
  return `<!DOCTYPE html>
<html lang="${bundle ? escapeAttribute(language) : 'en'}">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy.join('; '))}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeAttribute(title)}</title>
  <link rel="stylesheet" href="${escapeAttribute(uri('codicon.css'))}">
</head>
<body>
  <main id="root"${attributes.join('')}></main>
  <script nonce="${nonce}" src="${escapeAttribute(uri(script))}"></script>
</body>
</html>`;
}
