/**
 * The library of the language client, a bundle of its own: it is twice as much code as the rest of the extension and is
 * loaded after the activation, but V8 scans a whole file before its first line runs.
 */
export { LanguageClient, TransportKind } from 'vscode-languageclient/node';
