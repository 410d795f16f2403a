import type { Duplex } from 'node:stream'
import { Pool } from 'undici'

/** A connection to an address by way of somebody else. */
export type OpenTunnel = (address: string, port: number) => Promise<Duplex>

class ProxyError extends Error {
  readonly code: 'PROXY_REFUSED' | 'PROXY_UNREACHABLE'
  constructor(code: ProxyError['code'], cause?: unknown) {
    super('the egress proxy opened no connection', { cause })
    this.code = code
  }
}

/**
 * By CONNECT, with the address that we have checked and never a name: a proxy that resolved it again could be
 * given another answer.
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
