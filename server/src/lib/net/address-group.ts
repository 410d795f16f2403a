import { isIPv6 } from 'node:net'

const groups = 8
const networkGroups = 4

/**
 * The addresses that one limit covers. An IPv6 customer has a whole /64 network and could use another of its
 * addresses for every request, so the network counts.
 */
export function addressGroup(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : groups - first.length - last.length
  return [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
    .slice(0, networkGroups)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
