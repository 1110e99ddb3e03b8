import { setTimeout as pause } from 'node:timers/promises';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { Failure } from '../../../../protocol/query-results.ts';
import { fileNameOfUri } from '../file-uri.ts';
import type { OpenDocuments } from './open-documents.ts';
import { type RequestWork, unlessAborted } from '../request-guard.ts';

/** Requests about a document. */
interface AboutDocument {
  readonly textDocument: { readonly uri: string };
}

type Documents = Pick<OpenDocuments, 'get' | 'isBeingRead' | 'whenRead' | 'problemsPriority'>;

/** Texts of about 3,000 lines, whose lists of entries are longer than 100 kB. */
const largeText = 100_000;

/** Milliseconds without typing. Editors ask for whole-file lists a third of a second after a key. */
const calmMs = 700;

/** Responses to requests about a large document that is still being parsed, or typed in. */
interface AnswersWhileParsing {
  /** For requests at the cursor, which clients repeat when it moves: an empty response. */
  nothing<P extends AboutDocument, R>(work: RequestWork<P, R>, none: R): RequestWork<P, R>;
  /**
   * Requests once per version: answered after parsing and after the problems, because an empty response would clear the display, and
   * clients do not retry after an error.
   */
  later<P extends AboutDocument, R>(work: RequestWork<P, R>): RequestWork<P, R>;
  /**
   * For lists of all entries. In a large document they wait for a longer pause in typing, because an editor that
   * processes half a megabyte would delay the next keystroke. Further edits cancel the request.
   */
  calm<P extends AboutDocument, R>(work: RequestWork<P, R>): RequestWork<P, R>;
  /** User actions: rejected with a message. */
  refused<P extends AboutDocument, R>(work: RequestWork<P, R>): RequestWork<P, R | ResponseError<void>>;
}

export function createAnswersWhileParsing(documents: Documents): AnswersWhileParsing {
  const isBeingRead = ({ textDocument }: AboutDocument): boolean => documents.isBeingRead(textDocument.uri);

  async function isReady(uri: string, signal: AbortSignal): Promise<void> {
    // Further edits cancel the request, and the client repeats it.
    if (documents.isBeingRead(uri)) await unlessAborted(documents.whenRead(uri), signal);
    const { problemsSent } = documents.problemsPriority;
    if (problemsSent) await unlessAborted(problemsSent, signal);
  }

  async function isCalm(uri: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const document = documents.get(uri);
      if (!document || document.isNew || document.text.length < largeText) return;
      const leftMs = document.cameAt + calmMs - performance.now();
      if (leftMs <= 0) return;
      await pause(leftMs, undefined, { signal, ref: false });
    }
  }

  return {
    nothing: (work, none) => (params, signal) => (isBeingRead(params) ? none : work(params, signal)),
    later: (work) => async (params, signal) => {
      await isReady(params.textDocument.uri, signal);
      return work(params, signal);
    },
    calm: (work) => async (params, signal) => {
      await isCalm(params.textDocument.uri, signal);
      await isReady(params.textDocument.uri, signal);
      return work(params, signal);
    },
    refused: (work) => (params, signal) =>
      isBeingRead(params)
        ? new ResponseError<void>(LSPErrorCodes.RequestFailed, stillBeingRead(params.textDocument.uri).message)
        : work(params, signal),
  };
}

/** Message that a document is not available yet. */
export function stillBeingRead(uri: string): Failure {
  return {
    code: 'still-being-read',
    message: `${fileNameOfUri(uri)} is large and still being read. Try again in a moment.`,
  };
}
