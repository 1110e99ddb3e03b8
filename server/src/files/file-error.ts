import type { FileErrorCode } from '../../../protocol/failure-codes.ts';

/** Why a file or folder cannot be used; the message is shown to the user. */
export class FileError extends Error {
  constructor(
    readonly code: FileErrorCode,
    message: string,
    readonly details: FileErrorDetails,
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'FileError';
  }
}

interface FileErrorDetails {
  /** Absolute path of the file or folder, if known. */
  readonly file?: string | undefined;
  /** Remedy, one sentence. */
  readonly remedy: string;
  readonly cause?: unknown;
}

/** By name: a program may load this module as ESM and as CommonJS, which gives two classes. */
export function isFileError(error: unknown): error is FileError {
  return error instanceof Error && error.name === 'FileError';
}

/**
 * Explains a file system error; undefined for other errors, such as network errors.
 * @param about the file known to the user, when the error is about a temporary one.
 */
export function fileErrorOf(error: unknown, about?: string): FileError | undefined {
  if (isFileError(error)) return error;
  if (!isSystemError(error)) return undefined;
  const { code, path, dest } = error;
  // Renames come from a temporary name unknown to the user.
  const file = about ?? dest ?? path;
  if (file === undefined && !codesOfDisks.has(code)) return undefined;
  const words = (wordsByCode[code] ?? otherWords)(file ?? 'a file', error);
  const [kind, message, remedy] = words;
  return new FileError(kind, message, { remedy, file, cause: error });
}

interface SystemError {
  readonly code: string;
  readonly syscall: string;
  readonly message: string;
  readonly path?: string;
  readonly dest?: string;
}

/** Whether a file system error means a full disk or a file size limit. */
export function isDiskFull(error: unknown): boolean {
  return isSystemError(error) && codesOfFullDisks.has(error.code);
}

const codesOfFullDisks = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Errors of writing to an open file have no path; network errors have other codes. */
const codesOfDisks = new Set([...codesOfFullDisks, 'EROFS', 'EMFILE', 'ENFILE']);

type Words = readonly [code: FileErrorCode, message: string, remedy: string];

const elsewhere = 'Give yourself permission to write there, or choose another place.';

const full = (file: string): Words => [
  'disk-full',
  `The disk is full, or files on it may not grow any further: ${file} could not be written.`,
  'Free some space, or choose a place on another disk.',
];

const refused = (file: string, { syscall }: SystemError): Words =>
  readingCalls.has(syscall)
    ? ['no-read-permission', `Reading is not permitted: ${file}.`, 'Give yourself permission to read it.']
    : ['no-write-permission', `Writing is not permitted: ${file}.`, elsewhere];

const readingCalls = new Set(['scandir', 'opendir', 'stat', 'lstat', 'readlink', 'realpath', 'read']);

const tooMany = (): Words => [
  'too-many-open-files',
  'Too many files are open on this machine.',
  'Close other programs, then try again.',
];

const inUse = (file: string): Words => [
  'file-in-use',
  `${file} is in use by another program, or something is mounted there.`,
  'Close that program, or choose another place.',
];

const wordsByCode: Readonly<Record<string, (file: string, error: SystemError) => Words>> = {
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: full,
  EACCES: refused,
  EPERM: refused,
  EROFS: (file) => [
    'no-write-permission',
    `Writing is not permitted: ${file} is on a disk that is read-only.`,
    elsewhere,
  ],
  EISDIR: (file) => ['is-folder', `${file} is a folder.`, 'Name a file.'],
  ENOTDIR: (file) => [
    'file-in-the-way',
    `${file} cannot be made a folder: a file stands there, or in the place of a folder above it.`,
    'Move that file away, or choose another place.',
  ],
  EEXIST: (file, { syscall }) =>
    syscall === 'mkdir'
      ? [
          'file-in-the-way',
          `${file} cannot be made a folder: a file stands there, or in the place of a folder above it.`,
          'Move that file away, or choose another place.',
        ]
      : ['file-exists', `${file} exists already.`, 'Choose another name, or delete it first.'],
  ENOTEMPTY: (file) => ['file-in-the-way', `${file} is a folder with something in it.`, 'Choose another name.'],
  ENOENT: (file) => [
    'cannot-be-written',
    `${file} is not there, and cannot be created: its folder has gone, or is none in which anything can be created.`,
    'Choose another place.',
  ],
  ENAMETOOLONG: (file) => ['path-too-long', `The name ${file} is too long.`, 'Choose a shorter one.'],
  ELOOP: (file) => [
    'cannot-be-written',
    `${file} leads through links that lead into each other.`,
    'Remove these links, or choose another place.',
  ],
  EBUSY: inUse,
  ETXTBSY: inUse,
  EMFILE: tooMany,
  ENFILE: tooMany,
};

const otherWords = (file: string, { message }: SystemError): Words => [
  'cannot-be-written',
  `${file} cannot be read or written: ${/^[A-Z\d]+: ([^,]+)/.exec(message)?.[1] ?? message}.`,
  'Choose another place.',
];

function isSystemError(error: unknown): error is Error & SystemError {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as Partial<SystemError>;
  // A missing program is not a user's file.
  return typeof code === 'string' && typeof syscall === 'string' && !syscall.startsWith('spawn');
}
