import { SourceError, type SourceErrorCode } from '../source-error.ts';

const usualRemedy =
  'Import when fewer records change, or set overlap in its pagination so that pages can be joined; a service that has cursors does not need it.';

/** Records moved between pages during the read: some may be missing or duplicated. */
export class ListShift extends SourceError {
  /** @param code error code when it happens on every attempt. */
  constructor(message: string, code: SourceErrorCode = 'source-incomplete', remedy: string = usualRemedy) {
    super(code, message, { remedy });
  }
}
