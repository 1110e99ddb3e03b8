import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Uri, type Webview, env, l10n } from 'vscode';
import type { ToWebview } from '../../protocol/webview-messages.ts';
import { iconStyles, pageHtml } from './page-html.ts';

/** The page of a webview. */
interface WebviewPage {
  readonly title: string;
  /** File in `webview/dist/`. */
  readonly script: string;
  /** Whether the page uses a layout worker. */
  readonly worker: boolean;
  /** Whether the page renders images for export; pages with a worker may too. */
  readonly images?: boolean;
  /** Whether the page names the address of its script, which VS Code then keeps for the next page. */
  readonly isLarge?: true;
  /** What the page shows until it receives a message. */
  readonly first?: ToWebview | undefined;
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

/**
 * An empty page with its styles and one script; the policy blocks all other content and requests. A file that a page
 * loads passes through a service worker and VS Code's window, which takes several times as long as running the script.
 */
export function webviewHtml(
  webview: Webview,
  extensionUri: Uri,
  { title, script, worker, images = worker, isLarge, first }: WebviewPage,
  { bundle, language }: SpokenLanguage = { bundle: l10n.bundle, language: env.language },
): string {
  const folder = webviewFolder(extensionUri);
  const uri = (file: string): string => webview.asWebviewUri(Uri.joinPath(folder, file)).toString();
  const text = (file: string): string => readFileSync(join(folder.fsPath, file), 'utf8');
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}' ${emptyStyle}`,
    `font-src ${webview.cspSource}`,
    // The worker's file is fetched and started from a blob, because a webview cannot start it from its own address.
    ...(worker ? ['worker-src blob:', `connect-src ${webview.cspSource}`] : []),
    // Images for export are rendered from data addresses.
    ...(images ? ['img-src data:'] : []),
  ];
  return pageHtml({
    title,
    language: bundle ? language : 'en',
    policy: policy.join('; '),
    nonce,
    styles: iconStyles(text('codicon.css'), webview.asWebviewUri(folder).toString()),
    script: isLarge ? { address: uri(script) } : { text: text(script) },
    data: {
      ...(worker ? { worker: uri('elk-worker.min.js') } : {}),
      ...(bundle ? { l10n: JSON.stringify(bundle) } : {}),
      ...(first ? { first: JSON.stringify(first) } : {}),
    },
  });
}
