export interface ReturnUrlPolicy {
  /** http to this machine, for development. */
  allowLoopback: boolean
}

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]']

/** https on any host that the organisation allows: all, while it names none. Checked as a browser reads it. */
export function isAllowedReturnUrl(text: string, hosts: readonly string[], policy: ReturnUrlPolicy): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  const isLoopback = loopbackHosts.includes(url.hostname)
  const isPlain = url.protocol === 'http:' && isLoopback && policy.allowLoopback
  if (url.protocol !== 'https:' && !isPlain) return false
  return hosts.length === 0 || hosts.includes(url.hostname)
}
