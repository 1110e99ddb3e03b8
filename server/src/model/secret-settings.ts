/** Settings with secret values. */
const secretSettings = /^(password|clientSecret|token|apiKey|passphrase|refreshToken|secret)$/;

/** Usual names of secret request parameters. */
const secretParameters = /^(?:api[-_]?key|access[-_]?token|auth[-_]?token|client[-_]?secret|subscription[-_]key)$/i;

/** The non-secret settings of a login: user names. */
const identitySettings = /^(user|clientId|subject|issuer|audience|keyId|scope)$/;

/** Whether a setting's value is secret. */
export function isSecretSetting(name: string): boolean {
  return secretSettings.test(name);
}

/** Whether a request parameter's value is secret. */
export function isSecretParameter(name: string): boolean {
  return secretParameters.test(name);
}

/** Whether a setting names who logs in, which is not a secret. */
export function identifiesLogin(name: string): boolean {
  return identitySettings.test(name);
}

/** Whether a setting is part of a login: user name or credential. */
export function isLoginSetting(name: string): boolean {
  return isSecretSetting(name) || isSecretParameter(name) || identifiesLogin(name);
}

/** Settings, and groups of settings with names of their own, whose values a message must not quote. */
const privateSettings =
  /pass(?:wor[dt]|phrase|wd)|pwd|secret|token|api[-_]?key|credential|private|^auth$|^headers$|^parameters$|^sessionProperties$|url$|^proxy$/i;

/** Whether the value of a setting of a data source, or one around it, may be a secret. @param path names of settings */
export function mayBeSecret(path: readonly string[]): boolean {
  return path.some((name) => privateSettings.test(name));
}

/** Whether a name without a meaning may be a value: alone where a setting is expected, or glued to its setting. */
export function mayBeValue(name: string, value: unknown): boolean {
  return value === null || value === undefined || !/^[A-Za-z_][\w.-]*$/.test(name);
}
