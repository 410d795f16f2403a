export interface ReturnUrlPolicy {
  /** Allows http to this machine, for development. */
  allowLoopback: boolean
}

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]']

/** Allows https on the hosts of the organisation, or on any host if it lists none. Parses the URL as a browser does. */
export function isAllowedReturnUrl(text: string, hosts: readonly string[], policy: ReturnUrlPolicy): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  const isLoopback = loopbackHosts.includes(url.hostname)
  const isPlain = url.protocol === 'http:' && isLoopback && policy.allowLoopback
  if (url.protocol !== 'https:' && !isPlain) return false
  return hosts.length === 0 || hosts.includes(url.hostname)
}
