import { randomBytes } from 'node:crypto';
import { Uri, type Webview } from 'vscode';

/** The page of a webview. */
export interface WebviewPage {
  readonly title: string;
  /** File in `webview/dist/`. */
  readonly script: string;
  /** Whether the page lays graphs out in a worker. */
  readonly worker: boolean;
  /** Whether the page draws images that it exports; pages with a worker may too. */
  readonly images?: boolean;
}

/** Folder of what webviews may load. */
export function webviewFolder(extensionUri: Uri): Uri {
  return Uri.joinPath(extensionUri, 'webview/dist');
}

/**
 * The form controls put one empty style element into the page, which they then fill by script: this is the hash of the
 * empty text, so that no other inline style is let in.
 */
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** An empty page with one script; nothing else may run or be loaded, and nothing leaves it. */
export function webviewHtml(
  webview: Webview,
  extensionUri: Uri,
  { title, script, worker, images = worker }: WebviewPage,
): string {
  const uri = (file: string): string =>
    webview.asWebviewUri(Uri.joinPath(webviewFolder(extensionUri), file)).toString();
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource} ${emptyStyle}`,
    `font-src ${webview.cspSource}`,
    // The worker's file is fetched and started from a blob: a webview's own address cannot start one.
    ...(worker ? ['worker-src blob:', `connect-src ${webview.cspSource}`] : []),
    // An image that is exported is drawn from an address that holds all of it.
    ...(images ? ['img-src data:'] : []),
  ];
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy.join('; '))}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeAttribute(title)}</title>
  <link rel="stylesheet" href="${escapeAttribute(uri('codicon.css'))}">
</head>
<body>
  <main id="root"${worker ? ` data-worker="${escapeAttribute(uri('elk-worker.min.js'))}"` : ''}></main>
  <script nonce="${nonce}" src="${escapeAttribute(uri(script))}"></script>
</body>
</html>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
