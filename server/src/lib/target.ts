import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Agent } from 'undici'

export interface TargetPolicy {
  /** For development: receivers on this machine, without TLS. */
  allowLoopback: boolean
  allowedPorts: readonly number[]
}

const blocked = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  blocked.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 96], // unspecified, loopback and the old IPv4-compatible form
  ['::ffff:0:0', 96], // IPv4 in IPv6
  ['64:ff9b::', 96], // NAT64
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23], // Teredo and other special uses
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4
  ['3fff::', 20],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  blocked.addSubnet(network, prefix, 'ipv6')

/** Not an address of the public internet. */
export const isInternalAddress = (address: string): boolean => {
  const family = isIP(address)
  return family === 0 || blocked.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')

const isRefused = (address: string, policy: TargetPolicy): boolean =>
  isInternalAddress(address) && !(policy.allowLoopback && isLoopback(address))

/** Why we do not send to this URL; undefined when we do. Names are checked again when they are resolved. */
export function targetProblem(text: string, policy: TargetPolicy): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL'
  const url = new URL(text)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isLocal = policy.allowLoopback && (host === 'localhost' || isLoopback(host))
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) return 'must be https'
  if (url.username !== '' || url.password !== '') return 'must not hold credentials'
  if (url.hash !== '') return 'must not hold a fragment'
  if (!isLocal && url.port !== '' && !policy.allowedPorts.includes(Number(url.port)))
    return `must use port ${policy.allowedPorts.join(' or ')}`
  if (isLocal) return undefined
  if (isIP(host) !== 0) return isRefused(host, policy) ? 'must be a public address' : undefined
  if (!host.includes('.') || /\.(?:local|localhost|internal|intranet|lan|home|corp|arpa)\.?$/i.test(host))
    return 'must be a public host name'
  return undefined
}

class RefusedAddress extends Error {
  readonly code = 'REFUSED_ADDRESS'
}

/** Every address that a name resolves to is checked at the moment of connecting, so a changed DNS answer is too. */
export const createTargetAgent = (policy: TargetPolicy, resolver: typeof resolve = resolve): Agent => {
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolver(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 4)
      const refused = addresses.find(({ address }) => isRefused(address, policy))
      const first = addresses[0]
      if (refused || !first)
        return callback(new RefusedAddress('the name resolves to an internal address'), '', 4)
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  }
  return new Agent({ connections: 32, pipelining: 1, connect: { timeout: 10_000, lookup } })
}
