const secretPattern = /\b(sy_[a-z]{1,8}_|whsec_)[\w+/=-]+/g
const bearerPattern = /\bBearer [\w.~+/=-]+/g

/** Removes API keys, webhook secrets and tokens from a message, wherever it came from. */
export const redact = (text: string): string =>
  text.replaceAll(secretPattern, '$1…').replaceAll(bearerPattern, 'Bearer …')
