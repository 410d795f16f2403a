export interface ReturnUrlPolicy {
  /** Allows http to this machine, for development. */
  allowLoopback: boolean
}

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]']

/** What the organisation has registered. */
interface ReturnTargets {
  returnUrlHosts: readonly string[]
  returnUrlSchemes: readonly string[]
}

/** Schemes that a browser handles itself, or that lead somewhere else than to an app of the organisation. */
const browserSchemes = new Set(
  'about blob chrome content data file filesystem ftp http https intent javascript mailto resource sms tel vbscript view-source ws wss'.split(
    ' ',
  ),
)

/** A scheme that an app can own, such as myapp or com.example.pay. */
export const isAppScheme = (scheme: string): boolean =>
  /^[a-z][a-z0-9+.-]{1,59}$/.test(scheme) && !browserSchemes.has(scheme)

/**
 * Allows https on the hosts of the organisation, or on any host if it lists none, and the schemes of its apps. Parses
 * the URL as a browser does.
 */
export function isAllowedReturnUrl(text: string, targets: ReturnTargets, policy: ReturnUrlPolicy): boolean {
  const { returnUrlHosts: hosts, returnUrlSchemes: schemes } = targets
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  const scheme = url.protocol.slice(0, -1)
  if (isAppScheme(scheme)) return schemes.includes(scheme)
  const isLoopback = loopbackHosts.includes(url.hostname)
  const isPlain = url.protocol === 'http:' && isLoopback && policy.allowLoopback
  if (url.protocol !== 'https:' && !isPlain) return false
  return hosts.length === 0 || hosts.includes(url.hostname)
}
