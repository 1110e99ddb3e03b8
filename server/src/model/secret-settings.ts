/** Settings whose values nobody else should read. */
const secretSettings = /^(password|clientSecret|token|apiKey|passphrase|refreshToken|secret)$/;

/** How services call such values among the parameters of a request. */
const secretParameters = /^(?:api[-_]?key|access[-_]?token|auth[-_]?token|client[-_]?secret|subscription[-_]key)$/i;

/** What a login says beside its secrets: who logs in. */
const identitySettings = /^(user|clientId|subject|issuer|audience|keyId|scope)$/;

/** Whether a setting's value must not be read by others. */
export function isSecretSetting(name: string): boolean {
  return secretSettings.test(name);
}

/** Whether a parameter of a request is one whose value must not be read by others. */
export function isSecretParameter(name: string): boolean {
  return secretParameters.test(name);
}

/** Whether a setting is part of a login: who logs in, or what proves it. */
export function isLoginSetting(name: string): boolean {
  return isSecretSetting(name) || isSecretParameter(name) || identitySettings.test(name);
}
