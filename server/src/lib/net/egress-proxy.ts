import type { Duplex } from 'node:stream'
import { Pool } from 'undici'

/** Opens a connection to an address through a proxy. */
export type OpenTunnel = (address: string, port: number) => Promise<Duplex>

class ProxyError extends Error {
  readonly code: 'PROXY_REFUSED' | 'PROXY_UNREACHABLE'
  constructor(code: ProxyError['code'], cause?: unknown) {
    super('the egress proxy opened no connection', { cause })
    this.code = code
  }
}

/**
 * Sends CONNECT with the address that was checked and never a name, because the proxy could resolve a name to a
 * different address.
 */
export function createTunnels(proxyUrl: string, limitMs: number): OpenTunnel {
  const { origin, username, password } = new URL(proxyUrl)
  const proxy = new Pool(origin)
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  const headers = {
    ...(username !== '' && { 'proxy-authorization': `Basic ${credentials.toString('base64')}` }),
  }
  return async (address, port) => {
    const path = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
    const signal = AbortSignal.timeout(limitMs)
    const answer = await proxy
      .connect({ path, headers: { host: path, ...headers }, signal })
      .catch((error: unknown) => {
        throw new ProxyError('PROXY_UNREACHABLE', error)
      })
    if (answer.statusCode === 200) return answer.socket
    answer.socket.on('error', () => undefined).destroy()
    throw new ProxyError('PROXY_REFUSED')
  }
}
