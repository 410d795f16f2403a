import { lookup, Resolver } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'

export type ResolveAddresses = (hostname: string) => Promise<LookupAddress[]>

interface ResolverOptions {
  /** Name servers to use instead of the machine's own. */
  servers?: readonly string[]
  timeoutMs?: number
}

const defaultTimeoutMs = 2_000
const tries = 2

/**
 * Queries the name servers directly: the system's resolver blocks one of the four threads of libuv until it is
 * answered, so four names with a slow server would block everything that needs a thread.
 */
export const createResolver =
  ({ servers, timeoutMs = defaultTimeoutMs }: ResolverOptions = {}): ResolveAddresses =>
  async (hostname) => {
    if (hostname === 'localhost') return lookup(hostname, { all: true })
    const resolver = new Resolver({ timeout: timeoutMs, tries })
    if (servers) resolver.setServers(servers)
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = [
      ...(ipv4.status === 'fulfilled' ? ipv4.value : []).map((address) => ({ address, family: 4 })),
      ...(ipv6.status === 'fulfilled' ? ipv6.value : []).map((address) => ({ address, family: 6 })),
    ]
    if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason as Error // c-ares rejects with errors
    return addresses
  }

export const resolveAddresses = createResolver()
