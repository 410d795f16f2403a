import { BlockList, isIP } from 'node:net'

/** An address stands for the network of this one address. */
interface Network {
  address: string
  family: 'ipv4' | 'ipv6'
  prefix: number
}

const bitsOf = { ipv4: 32, ipv6: 128 } as const
const prefixPattern = /^[1-9]\d{0,2}$/
const mappedPattern = /^::ffff:(?=\d+\.)/i

/** Reads `203.0.113.7`, `203.0.113.0/24` or `2001:db8::/32`. A prefix of 0 would be every address. */
function readNetwork(text: string): Network | undefined {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) return undefined
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (prefix === undefined) return { address, family, prefix: bitsOf[family] }
  const isInRange = prefixPattern.test(prefix) && Number(prefix) <= bitsOf[family]
  return isInRange ? { address, family, prefix: Number(prefix) } : undefined
}

export const isNetwork = (text: string): boolean => readNetwork(text) !== undefined

/** Whether an address, or a whole network, is in one of the networks. Text that cannot be parsed is in none. */
export function isInNetworks(networks: readonly string[], text: string): boolean {
  // A socket that accepts both families shows IPv4 addresses as IPv6.
  const inner = readNetwork(text.replace(mappedPattern, ''))
  return inner !== undefined && networks.some((network) => contains(readNetwork(network), inner))
}

function contains(outer: Network | undefined, inner: Network): boolean {
  if (outer?.family !== inner.family || outer.prefix > inner.prefix) return false
  const list = new BlockList()
  list.addSubnet(outer.address, outer.prefix, outer.family)
  return list.check(inner.address, inner.family)
}
