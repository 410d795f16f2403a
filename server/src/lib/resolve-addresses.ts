import { lookup, Resolver } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'

export type ResolveAddresses = (hostname: string) => Promise<LookupAddress[]>

/**
 * Asks the name servers itself: the system's call holds one of the process's four threads until it is answered,
 * so that four names with a slow server would stop everything that needs a thread.
 */
export const resolveAddresses: ResolveAddresses = async (hostname) => {
  if (hostname === 'localhost') return lookup(hostname, { all: true })
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value : []).map((address) => ({ address, family: 4 })),
    ...(ipv6.status === 'fulfilled' ? ipv6.value : []).map((address) => ({ address, family: 6 })),
  ]
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason as Error // c-ares rejects with errors
  return addresses
}
